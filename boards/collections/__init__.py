"""Collections: boards that members put in an order (decision 49).

services      making, changing and deleting them
reading       what a reader gets: a page of them, and one with the boards that this reader may see
sources       the boards that a search finds, for a new collection
serializers   what programs send and get
views         /api/collections
"""
