"""Tournaments: set up, played by one process, looked at by who may."""
