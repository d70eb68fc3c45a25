"""The laws and the notations of contract bridge: pure functions and small frozen types, without Django.

A card is two characters, suit first: "SA", "HT", "D2". Whatever is refused raises a `BridgeError`.

- cards, seats, contract, vulnerability, names: the terms of the game, and how they are written and displayed
- layout, auction, play, scoring: the laws
- board: the record of one board, which files and the database share, and its check
- files: reading a file of either format; pbn/ and lin/ read and write one format each
- raw_records, texts: what both formats need
- diagram, plain_text: a board for people
"""
