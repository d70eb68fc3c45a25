"""Pages of events and of matches of teams, sheets of results, frames, and the tables of a deal compared (Law 78)."""
