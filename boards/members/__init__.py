"""The pages on which members look after their own boards: their list, uploading files, and editing a board.

They stand beside the admin, above all other rooms of boards, since they upload and publish as staff do. What they
change is in boards.ownership and boards.files.uploading.
"""
