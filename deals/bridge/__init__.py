"""The notation and the laws of contract bridge: pure functions and small frozen types, no Django.

A card is two characters, suit first: "SA", "HT", "D2". Every refusal is a `BridgeError`.
"""
