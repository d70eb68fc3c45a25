"""The index of boards: which of them meet a condition, how many, and in which order (decisions 0041 and 0051).

facts ── subject         what is known of a board, each fact declared once
words                   the words of a board's texts, in one form
conditions, language    what may be asked of facts, and how players write it
index                   which boards meet a condition
"""
