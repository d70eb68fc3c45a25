"""What the solver says of boards: the trace of each play, and the costs of cards when a reader asks.

questions   what is asked about a board, and which boards have an answer that is out of date
verdicts    what pages and the API say of a board
queues      the two lists of the worker, in deals.solver's terms
"""
