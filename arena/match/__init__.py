"""Plays one match: the player protocol, the clock, faults, the record, the replay, its verifier.

This room asks players that it is handed and applies the rules to what they answer.  It must not
know how a player is reached or where its bot runs (players, sandbox), nor where a record is kept
(store).
"""
