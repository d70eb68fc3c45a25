"""What operators and their monitors see.

access_log, logs        one line for each request, and the form of all lines
metrics, metrics_files  counters and durations, summed over the processes
readiness, health       whether the service can work, and the views that say so
metrics_port            the port of METRICS_BIND, which answers however busy the service is
"""
