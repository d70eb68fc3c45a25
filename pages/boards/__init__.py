"""The front page, the pages of a board and of themes, votes, and hand records for paper."""
