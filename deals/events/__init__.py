"""The feed of what happened to deals and boards, which programs follow. docs/decisions/0018 has the proof."""
