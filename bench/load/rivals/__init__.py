"""Other frameworks that serve the same answers from the same tables. uvicorn loads them with --app-dir."""
