"""PBN 2.1, Portable Bridge Notation: read leniently, written in export format.

Reading goes from bytes to records; "game" is PBN's word for a record.

- games: cuts a stream of bytes into games, and completes each with what the games before it say
- tokens: finds the tags, sections and comments of one game, and reads the values of tags
- results: reads result, score, session, and a table from each row of a ScoreTable
- sections: reads the Auction and Play sections
- comments: reads and writes commentary in braces, with remarks on calls and cards as sentences
- repairs: what a game gets that contradicts itself: a repair, or a part left out
- reader: makes records of all this; `read_pbn`
- writer: writes a record as a game; `write_pbn`
"""
