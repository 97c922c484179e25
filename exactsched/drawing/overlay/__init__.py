"""Broadcast overlays as scenes."""
