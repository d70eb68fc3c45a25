"""The edge is what happens before and after every view.

serving          the WSGI application, and public answers that it gives in front of Django (decisions 14 and 16)
middleware       the middleware; EdgeMiddleware asks the request checks
request_checks   rules for every request, whichever view would answer it
limits           how often one client may ask, and how much may run at once
observability    what operators and their monitors see: logs, metrics, health
security         who the client is, and the security log

settings.MIDDLEWARE is the order of the whole edge, settings.REQUEST_CHECKS that of the rules within EdgeMiddleware.
"""
