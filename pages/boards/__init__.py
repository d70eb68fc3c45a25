"""The pages of boards and themes.

views          the front page, and the page of a board with its steps
voting         the buttons for a vote
themes         the pages of themes
hand_records   sheets for paper
"""
