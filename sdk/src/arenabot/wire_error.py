"""What reading a message can raise, for the modules that do it."""


class WireError(ValueError):
    """A message that the protocol does not allow; the text says which part."""


def checked_seat(number: int, seats: int) -> int:
    """``number``, if it is a seat of so many."""
    if number >= seats:
        raise WireError(f"seat {number} of {seats}")
    return number
