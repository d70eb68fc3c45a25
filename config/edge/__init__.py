"""What happens before and after every view: middleware, guards, client addresses, limits, health, metrics, logs.

settings.MIDDLEWARE is the order of the whole edge, settings.EDGE_GUARDS that of the rules within EdgeMiddleware.
"""
