"""The page /boards with its forms and its cards, and the table of counts."""
