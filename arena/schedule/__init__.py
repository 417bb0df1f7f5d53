"""Who meets whom: the blocks of a tournament, in which order, and who sits where.

Pure: a schedule is a function of the number of entries, the table size, the number of blocks and a
seed; an adaptive one also of how sure the order of the entries is. This room must not know what is
played, who the entries are, or how far a tournament has come.
"""

from arena.schedule.adaptive import Gap, first_wave, next_wave
from arena.schedule.blocks import MAX_TABLE, MIN_TABLE, Block
from arena.schedule.errors import ScheduleError
from arena.schedule.figures import Figures, Range, measure
from arena.schedule.planning import Schedule, plan

__all__ = [
    "MAX_TABLE",
    "MIN_TABLE",
    "Block",
    "Figures",
    "Gap",
    "Range",
    "Schedule",
    "ScheduleError",
    "first_wave",
    "measure",
    "next_wave",
    "plan",
]
