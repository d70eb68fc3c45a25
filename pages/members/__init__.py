"""The pages of members.

signing_in       to the identity provider and back, afresh where that is asked for, and signing out
account          one's own account with its data, its devices, its deletion, and who has looked at the site as it
own_boards       the list of one's own boards, and its buttons
uploads          uploading a file, and its preview
editing          the form of one's own board
impersonation    staff begin to look at the site as a member, and stop

What members change of their boards is in boards.services.reviews and boards.files.uploading.
"""
