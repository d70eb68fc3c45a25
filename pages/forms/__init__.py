"""The public forms as pages (forms.declarations).

views    the list of forms, a form, its thanks; robots told from people
fields   the fields of a form, and the values that a visitor typed
"""
