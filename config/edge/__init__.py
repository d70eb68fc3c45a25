"""The edge is what happens before and after every view: middleware, guards, limits, health, metrics and logs.

settings.MIDDLEWARE is the order of the whole edge, settings.EDGE_GUARDS that of the rules within EdgeMiddleware.
"""
