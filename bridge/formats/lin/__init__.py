"""LIN, the format of Bridge Base Online: tag|value|tag|value|…, read leniently and written as Bridge Base does.

Reading goes from bytes to records; a "table" is one record, as the same board may be played at two tables.

- tables: cuts a stream of bytes into tables
- tokens: splits a table into tags, and reads deal (md), vulnerability (sv), calls (mb), cards (pc), claim (mc), texts
- reader: makes records of all this; `read_lin`
- writer: writes a record as a table; `write_lin`
"""
