"""USEBIO, the XML in which clubs send results to their federation: boards, their hands, and a line for each table."""
