"""The laws and the notations of contract bridge: pure functions and small frozen types, without Django.

A card is two characters, suit first: "SA", "HT", "D2". Whatever is refused raises a `BridgeError`.

- cards, seats, contract, vulnerability, names: the terms of the game, and how they are written and displayed
- layout, auction, play, scoring, adjusting, comparing: the laws
- board, texts: the record of one board, which files and the database share, and its check
- replay, diagram: a board step by step, and a board for people
- formats/: the files that other programs read and write. Nothing outside it knows a format
"""
