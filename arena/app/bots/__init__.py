"""Bots: found by what a person types, checked, built, tried out, and made ready to play."""
