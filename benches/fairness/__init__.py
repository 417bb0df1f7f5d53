"""How many matches it takes until an order is right, in fields whose strengths are known.

Simulated fields (`worlds`) play by chance that is like our games', which `calibrate` measures with
the sample bots (`bots`); matches once played can be drawn from again (`replayed`). The package
itself is the command behind `make bench-fairness`; `compare` compares ways to learn strengths.
Nothing here is needed to run an arena; plain Python, no NumPy.

>>> from arena.schedule import plan
>>> from benches.fairness import Simulation, World
>>> field = Simulation((0.0, 0.3, 0.6, 0.9), World(luck=0.5), seed="1")
>>> results = [one for block in plan(4, 4, seed=b"x").blocks for one in field.block(block)]
>>> field.right_order
(3, 2, 1, 0)
"""

from benches.fairness.worlds import Simulation, World, field_of

__all__ = ["Simulation", "World", "field_of"]
