"""What is said of a tournament, as documents and files; and whether such an export holds."""
