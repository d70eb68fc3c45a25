"""Which boards meet a condition, how many they are, and in which order (docs/search/index.md).

facts ── subject, words   what is known of a board, each fact declared once
conditions                what may be asked of facts
language                  how players write it: the parameter `q`
index                     answers: find_page, find_after, count_boards, count_values
"""
