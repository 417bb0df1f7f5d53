"""What reading a message can raise."""


class WireError(ValueError):
    """A message that the protocol does not allow; the text says which part."""
