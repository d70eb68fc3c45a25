"""How often one client may ask, and how much may run at once.

counters      exact counters, shared by all processes: forms, logins, exports
posts         the limits on what anybody may post, by client and in total: forms, answers of practice
read_limit    the limit on public reads, approximate and cheap
exports       exports, summaries, imports and bulk changes: how many run at once
"""
