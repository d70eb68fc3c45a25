"""Collections: boards that members put in an order (decision 49).

services      making, changing and deleting them
reading       a page of them, one with the boards that its reader may see, and the boards that a search finds
serializers   what programs send and get
views         /api/collections
"""
