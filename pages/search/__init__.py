"""Finding boards: the page /boards with its forms, its cards and its table of counts.

gallery         the list: the boards that a query finds, a card for each deal, and the links to other pages of the list
filter_form     the lists and days of the folded form, and names that nobody has
search_form     the fields that write a search, and its conditions as chips
summary         /boards/summary, how many boards have what
"""
