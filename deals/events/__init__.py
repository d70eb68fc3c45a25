"""The feed of what happened to deals and boards, which programs follow. docs/decisions/0018 has the proof.

recording   stores events in the transaction of the change
feed        gives committed events their positions, reads them in this order, waits for new ones, deletes old ones
"""
