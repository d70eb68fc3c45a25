"""What readers ask for: the filters of boards, and the query parameters that name them.

declarations     the filters, each declared once (decision 0040)
parameters       the query parameters of lists, q among them, and the BoardSelection that they ask for
"""
