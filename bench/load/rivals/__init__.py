"""Another framework that serves the same answers from the same tables. uvicorn loads it with --app-dir."""
