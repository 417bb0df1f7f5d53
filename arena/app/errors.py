"""What the application itself raises; each message is one line that says what to do.

ArenaError               what was asked cannot be done
  WrongCall              ... by nobody, ever: it was asked wrongly
  NotReleased            ... yet: deals are still in play
"""

from __future__ import annotations


class ArenaError(Exception):
    """What was asked cannot be done; the text says why and what to do."""


class WrongCall(ArenaError):
    """What was asked makes no sense, whatever there is on this machine."""


class NotReleased(ArenaError):
    """A replay or a log of a match on whose deals others are still to be played."""
