"""Ends in good order without having served."""

from calm import Calm

if __name__ == "__main__":
    print(f"{Calm.__name__} is ready")
