"""Rules about single values that models, views and pages share. Nothing here knows a request or REST framework."""
