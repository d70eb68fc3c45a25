"""How often a form may be sent."""

from config.edge.limits.posts import PostLimits

LIMITS = PostLimits("forms", "FORM_RATE_PER_CLIENT", "FORM_RATE_IN_TOTAL")
"""Each form is counted apart."""
