"""Rankings: worked out from results, kept, going on from files, and what they say of a bot."""
