"""Where things are put: points of graphs, layers of trees, ticks of axes."""
