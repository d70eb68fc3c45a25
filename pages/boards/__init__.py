"""The pages of boards and themes.

views          the front page, the page of a board with its steps, and votes
themes         the pages of themes
hand_records   sheets for paper
"""
