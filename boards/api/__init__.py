"""What programs ask of boards: the views under /api/boards and /api/deals, and their routes.

A view parses the query, makes one call of the domain, and answers with what boards.catalogue has.
"""
