"""What templates and drawings show of a board, on whichever page."""
