"""Events: the boards that share an event, a date and a site, such as one evening of a club.

identity         the slug of an event, and a board's position in it
dates            PBN's dates: in words, in order, and within a period
storing          writes an Event, which gives a slug its name, date and site, in the transaction that publishes a board
reading          the events with their counts, the boards of one, and what stands beside an event or a board
results          what came of a deal at all its tables
matches          matches of teams, with their IMPs and victory points
"""
