"""Claim Arena: tournaments of sandboxed bots for three card games.

The rooms below and who may know whom are drawn in docs/1-architecture.md.
"""
