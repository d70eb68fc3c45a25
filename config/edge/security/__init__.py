"""Who the client is, what its session is worth, and the log of what security depends on."""
