"""What is done to boards, each with all that belongs to it in one transaction.

boards         publish a board of a deal, and change one; which boards are equal
bulk           the same change of many boards
reviews        what members do with their own boards, and staff with drafts that wait
days           the hand of the day
"""
