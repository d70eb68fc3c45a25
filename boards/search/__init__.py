"""The index of boards: which of them meet a condition, how many, and in which order (decision 0041).

facts            what is known of a board, each fact declared once
conditions       what may be asked of facts
rows ── slices   a condition as SQL: over rows of facts, over slices of segments
storing          writes a board's row in the transaction that changes it
segments         folds rows into segments of slices, on PostgreSQL; the worker calls it
resolving        looks at boards where slices cannot decide
finding          counts boards, and finds those of a page
checking         compares the index with the boards, and makes it anew
"""
