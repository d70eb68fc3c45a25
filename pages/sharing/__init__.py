"""Boards on other sites, in feed readers and in search engines."""
