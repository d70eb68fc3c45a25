"""Bearer tokens: which are valid, where the keys come from, and what a token says about a person (docs/tokens.md)."""
