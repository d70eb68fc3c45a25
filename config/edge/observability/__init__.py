"""What operators and their monitors see.

logs                the form of all lines
metrics             a line and a count for each request, summed over the processes, and the port of METRICS_BIND
readiness, health   whether the service can work, and the views that say so
"""
