"""The index of boards: which of them meet a condition, how many, and in which order (decision 0041).

facts ── subject         what is known of a board, each fact declared once
conditions, language    what may be asked of facts, and how players write it
keys                    what sorts boards, and stands for them
words                   the words of a board's texts, in one form
rows ── slices          a condition as SQL: over rows of facts, over slices of segments
storing                 writes a board's row in the transaction that changes it
segments                folds rows into segments of slices, on PostgreSQL; the worker calls it
slots, joining, bits    what a fold reads, what it writes, and bits in Python
types                   unites the slices of a theme type's themes
votes                   makes the slices of votes anew, from the events of the feed
resolving               looks at boards where slices cannot decide
finding, top, counting  which boards meet a condition, those with the most votes, and how many have which values
checking, watching      compare the index with the boards, and tell operators of it
"""
