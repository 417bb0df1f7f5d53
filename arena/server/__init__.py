"""The arena as a server: gRPC services for many people at once, and who may do what.

A service reads a request, checks that its caller may, calls `arena.app` or the store (in threads:
both block), and writes the answer; it decides nothing about games, ratings or matches. What goes
wrong is raised, and one interceptor turns it into a status.
"""
