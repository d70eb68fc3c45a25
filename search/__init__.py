"""Which boards meet a condition, how many they are, and in which order (docs/search/index.md).

It knows of a board what it is told as a Subject, and joins the numbers found with the rows of boards (decision 0063).

facts ── subject, words   what is known of a board, each fact declared once
conditions                what may be asked of facts
language                  how players write it: the parameter `q`
index                     answers: find_page, find_after, count_boards, count_values
"""
