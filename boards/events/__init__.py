"""Events: the boards that share an event, a date and a site, such as one evening of a club.

storing          writes an Event, which gives a slug its name, date and site, in the transaction that publishes a board
listing          the list of events with their counts, and what stands beside one in it
reading          the deals of an event, and what stands around a board of it
tables           the tables of a deal, each once
results          what came of a deal at all its tables
matches          matches of teams, with their IMPs and victory points
standings        what teams won round by round
"""
