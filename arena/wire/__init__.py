"""The one place that turns the arena's records into messages of arena.proto and back.

The server writes what a client of ours reads, so that a command shows the same whether it looks
into a store or asks a server. A module for each kind of thing; nothing here asks anybody anything.
"""
