"""Practice: a board whose page tells nothing early, asks what the reader does, and leads on.

pages        /practice, and the page of a board to practise with
quiz         what is asked, and the counted answers
next_board   which board comes next
"""
