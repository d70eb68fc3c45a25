"""The pages of events and of matches of teams, sheets of results, and the tables of a deal compared (Law 78)."""
