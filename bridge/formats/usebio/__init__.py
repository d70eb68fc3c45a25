"""USEBIO, the XML in which clubs send results to their federation: boards, their hands, and a line for each table.

- document: the XML as its boards, lines and hands
- reader: each table, and each deal that no table played, as a game of PBN, and what comes of it
"""
