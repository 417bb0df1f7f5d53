"""What goes over the wire: generated from proto/ by `make proto`, never edited."""
