"""The replay viewer: a match's lines made into steps, told in words, and drawn at a table.

The same steps serve a replay, of which everything is known, and a match in play, of which a
spectator or a seat knows only a part.
"""
