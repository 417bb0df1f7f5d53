"""The one family of errors of this room."""


class ScheduleError(ValueError):
    """A schedule that cannot be made as asked. The message is one line that says what to do."""
