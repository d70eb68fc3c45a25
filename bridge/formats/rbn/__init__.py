"""RBN, Richard Pavlicek's notation (rpbridge.net/7a12.htm), read by way of PBN.

Each record becomes a game of PBN, line by line, so that errors name the right line, and so that PBN's rules for
contradictions hold.

- reader: cuts a stream into records and reads the games they become; `read_rbn`
- records: what holds until it comes again; one record, with auction and play, as the lines of a game
"""
