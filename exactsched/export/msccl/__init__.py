"""MSCCL's XML: read, verified, compared with the certified optimum, and written.

`verify` judges anybody's file without running it; `compare` says how far it is from the optimum of
a platform.
"""
