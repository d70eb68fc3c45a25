"""What readers ask for: the filters of boards, and the query parameters that name them.

declarations     the filters by a value, each declared once (decision 0040), and q
parameters       the query parameters of lists, and the BoardSelection that they ask for
"""
