"""The laws and the notations of contract bridge: pure functions and small frozen types, without Django.

A card is two characters, suit first: "SA", "HT", "D2". Whatever is refused raises a `BridgeError`.

- cards, seats, contract, vulnerability, names: the terms of the game, and how they are written and displayed
- layout, auction, play, scoring: the laws
- board: the record of one board, which files and the database share, and its check
- files: reading a file of any format, by a table of them; pbn/ and lin/ read and write one format each
- dealing_machines/, handviewer, rbn/, bare_deals, archives: the other formats
- foreign_files: what a file looks like that has none of them
- streams, raw_records, texts: what the formats share; bridge_composer: the markup of one program
- diagram, plain_text: a board for people
"""
