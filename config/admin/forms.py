"""The form of all our admin pages, which changes only what was changed on the page."""

from typing import Any

from django import forms


class ChangedFieldsForm(forms.ModelForm):
    """A form that leaves alone what was not changed on the page, whatever else has changed in the row since.

    The page holds the value that each field had when it was opened (Django's show_hidden_initial). A field that comes
    back as it was is no part of `cleaned_data`, so neither the row nor what it is related to gets an old value. A form
    that was not sent from such a page is compared with the row.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.hold_initial_values()

    def hold_initial_values(self) -> None:
        """Call it again after replacing a field."""
        names = {self.add_initial_prefix(name) for name in self.fields}
        holds = not self.instance._state.adding and (not self.is_bound or not names.isdisjoint(self.data))
        for field in self.fields.values():
            field.show_hidden_initial = holds

    def clean(self) -> dict[str, Any]:
        super().clean()
        if not self.instance._state.adding:
            for name in self.cleaned_data.keys() - set(self.changed_data):
                del self.cleaned_data[name]
        return self.cleaned_data

    def changed_columns(self) -> list[str]:
        """Return the names of the row's own fields that were changed."""
        own = {field.name for field in self._meta.model._meta.concrete_fields}
        return [name for name in self.changed_data if name in own]
