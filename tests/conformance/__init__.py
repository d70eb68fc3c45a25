"""Hold every exchange that a test has with the API against the OpenAPI document, in both directions."""
