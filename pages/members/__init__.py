"""The pages of members.

signing_in       to the identity provider and back, and signing out
fresh            the page that asks for a fresh sign-in
account          one's own account, the download of one's data, and its deletion
account_form     the form of what an account says of itself
devices          where an account is signed in
own_boards       the list of one's own boards, and its buttons
changes          what the buttons do, and the sentence that says so
uploads          uploading a file, and its preview
editing          the form of one's own board
impersonation    staff begin to look at the site as a member, and stop
looks            who of them has looked

What members change of their boards is in boards.services.ownership and boards.files.uploading.
"""
