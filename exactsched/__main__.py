"""`python -m exactsched` is the command `exactsched`."""

import sys

from exactsched.cli import main

sys.exit(main())
