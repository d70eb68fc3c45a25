"""PBN 2.1, Portable Bridge Notation. "Game" is its word for a record.

A file goes through games (cut, and completed with the games before), tokens (tags), results and sections (what tags
say) and reader, which asks repairs what to do with a game that contradicts itself.
"""
