"""A board whose page tells nothing early, asks what the reader does, and leads on to the next one."""
