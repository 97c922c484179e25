"""Platforms in SimGrid's XML: an arc for every ordered pair of hosts, with the links of its route.

Read are platforms of version 4: hosts, routers and links in zones, nested to any depth, with the
routing "Full", "Floyd" or "Dijkstra", and clusters with any topology.  Routers are no nodes: they
are inside of the routes.  The links of a route are a set here; their order has no meaning.

Sizes are in bytes and times in seconds, so the cost of a link is 1 / (bytes per second), and the
cost of an arc is that of its narrowest link.  Latencies are left out: a series of long messages
does not feel them.  So are `prop`, `config`, and what hosts compute.  Everything else that is not
read here is an error with its line.
"""
