"""What all pages need: base views, forms that two windows may have open, feeds, and the guides to the API."""
