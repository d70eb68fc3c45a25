"""The index: which boards meet a condition, how many they are, and in which order."""
