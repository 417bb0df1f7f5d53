"""Playing against the bots: a person takes a seat in the browser, match workers play the rest."""
