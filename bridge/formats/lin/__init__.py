"""LIN, the format of Bridge Base Online. A "table" is one record, as the same board may be played at two tables.

A file goes through tables (cut), tokens (tags, and what stands in them) and reader.
"""
