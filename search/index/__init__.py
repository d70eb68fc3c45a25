"""The index: which boards meet a condition, how many they are, and in which order (docs/search/index.md).

rows, slices            a condition as SQL: over rows of facts, over slices of bits
folding                 sets the bits of boards that have a row, and deletes the rows: the worker, on PostgreSQL
pages                   a page of boards, and their count, as one statement
finding                 pages of boards by number, and conditions that bits cannot decide
looking                 look at boards one by one for these conditions
top, counting           the boards with the most votes, and how many have which values
"""
