"""PBN 2.1, Portable Bridge Notation: read leniently, written in export format.

Reading goes from bytes to records; "game" is PBN's word for a record.

- games: cuts a stream of bytes into games
- tokens: finds the tags, sections and comments of one game
- inheritance: completes a game with what the games before it say
- score_tables: makes a table of each row of a ScoreTable
- sections: reads the Auction and Play sections
- annotations: turns remarks on calls and cards into sentences of the commentary
- comments: reads and writes commentary in braces
- auction_evidence, play_evidence: hold auction and play against hands, dealer and contract
- repairs: what a game gets that contradicts itself: a repair, or a part left out
- reader: makes records of all this; `read_pbn`
- writer: writes a record as a game; `write_pbn`
"""
