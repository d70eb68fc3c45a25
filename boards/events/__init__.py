"""Events: the boards that share an event, a date and a site, such as one evening of a club.

listing          the list of events with their counts, and what came of a deal at all its tables
reading          the deals of an event, and what stands around a board of it; the name of an event, stored
tables           the tables of a deal, each once
matches          matches of teams, with their IMPs and victory points, and what teams won round by round
ranking          the pairs of an event by what they won
own              an event as it was for those who sat in one place
"""
