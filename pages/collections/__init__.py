"""The pages of collections.

finding     a collection for its reader, and its boards as cards
public      the list, a collection, its way into practice, its hand records, its feed, its file, its frame
members     a member's own: the list, making one, adding a board to one
editing     changing one: texts, order, notes
forms       its texts, and a row for each of its boards
"""
