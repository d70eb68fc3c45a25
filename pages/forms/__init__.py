"""The public forms as pages (forms.declarations)."""
