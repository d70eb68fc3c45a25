"""Collections for everybody who may read them, and the pages on which members make and change their own."""
