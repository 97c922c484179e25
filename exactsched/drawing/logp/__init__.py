"""Schedules and role cycles of LogP machines as scenes and traces."""
