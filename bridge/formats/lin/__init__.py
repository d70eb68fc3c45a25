"""LIN, the format of Bridge Base Online. A "table" is one record, as the same board may be played at two tables."""
