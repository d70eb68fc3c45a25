"""The account, signing in, own boards and their files; staff who look as a member.

What members change of their boards is in boards.services.reviews and boards.files.uploading.
"""
