"""Events: the boards that share an event, a date and a site, such as one evening of a club.

listing          the list of events with their counts, and what came of a deal at all its tables
counting         how many tables an event has, which is known before they are read
reading          the deals of an event, and what stands around a board of it
naming           events and their deals, stored, and which of its boards spells an event
tables           the tables of a deal, each once
owners           whose tables, titles and rankings count where several accounts hold an event
unplayed         which matches were not played, though files say that everybody passed
matches          matches of teams, with their IMPs and victory points, and what teams won round by round
ranking          the pairs of an event by what they won
file_rankings    the rankings that files give, stored and shown
own              an event as it was for those who sat in one place
"""
