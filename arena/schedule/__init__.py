"""Who meets whom: the blocks of a tournament, in which order, and who sits where.

Pure: a schedule is a function of the number of entries, the table size, the number of blocks and a
seed. This room must not know what is played, who the entries are, or how far a tournament has come.
"""

from arena.schedule.blocks import MAX_TABLE, MIN_TABLE, Block
from arena.schedule.errors import ScheduleError
from arena.schedule.figures import Figures, Range, measure
from arena.schedule.planning import Schedule, plan

__all__ = [
    "MAX_TABLE",
    "MIN_TABLE",
    "Block",
    "Figures",
    "Range",
    "Schedule",
    "ScheduleError",
    "measure",
    "plan",
]
