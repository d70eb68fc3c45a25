from collections.abc import Iterable, Iterator
from typing import Any, ClassVar

from django import forms
from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.db.models import Count
from django.http import HttpRequest
from django.utils.safestring import SafeString

from config.admin.label_table import DescriptionTableField, LabelsForm, show_labels, standardise, write_texts
from config.admin.options import LargeTableAdmin
from config.values.words import format_count
from themes.labels import format_type, get_label_cache, get_revision
from themes.models import Theme

MAX_BOARDS_DELETED = 10_000
"""Boards of a theme that a request may delete. Each takes a millisecond or two, and is locked until the end."""


class TypeFilter(admin.AllValuesFieldListFilter):
    """Choose by type, whose name for programs is shown in words."""

    def choices(self, changelist: ChangeList) -> Iterator[Any]:
        for choice in super().choices(changelist):
            yield {**choice, "display": format_type(str(choice["display"]))}


class ThemeForm(LabelsForm):
    """The form of a theme. Its type is one that is in use, or a new one, for which there is a field of its own."""

    new_type = forms.SlugField(
        required=False,
        max_length=Theme._meta.get_field("type").max_length,
        help_text="Only for a type that does not exist yet: letters, digits, - and _, such as hand_evaluation.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "type" in self.fields:  # It is not for staff who may only look.
            types = get_label_cache(get_revision()).theme_types
            choices = [(slug, format_type(slug)) for slug in types]
            is_new = self.instance._state.adding
            self.fields["type"] = forms.ChoiceField(
                required=False,
                choices=[("", "–"), *choices] if is_new else choices,
                help_text="The types that other themes have.",
            )
            self.fields["description"] = DescriptionTableField(
                help_text="What the theme is about, as plain text. A blank line begins a new paragraph. "
                "Save to get another empty row."
            )
            self.hold_initial_values()

    def clean_description(self) -> Any:
        description = self.cleaned_data["description"]
        return standardise(description) if self.is_new_or_changed("description") else description

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        chosen, new = cleaned.get("type"), cleaned.get("new_type")
        if chosen and new:
            self.add_error("new_type", "Choose a type from the list or write a new one, not both.")
        elif new and (known := self.find_similar_type(new)):
            self.add_error("new_type", f"The type {format_type(known)} exists already. Choose it from the list.")
        elif new:
            cleaned["type"] = new
        elif "type" in cleaned and not chosen and "new_type" not in self.errors:
            self.add_error("type", "Choose a type, or write a new one in the field below.")
        return cleaned

    def find_similar_type(self, new: str) -> str | None:
        """Return the type in use that is spelt like this one, but for capitals, hyphens and underscores."""
        types: Any = self.fields["type"]
        return next((slug for slug, _ in types.choices if simplify(slug) == simplify(new)), None)

    def changed_columns(self) -> list[str]:
        new = ["type"] if self.cleaned_data.get("new_type") else []
        return [*super().changed_columns(), *new]


def simplify(slug: str) -> str:
    return slug.casefold().replace("-", "_")


@admin.register(Theme)
class ThemeAdmin(LargeTableAdmin):
    """Staff make and edit themes. To delete one asks first, with the number of boards that lose it."""

    form = ThemeForm
    shown_in_words: ClassVar = {"labels": show_labels, "description": "about"}
    fields = (
        *("type", "new_type", "identifier", "labels", "description", "owner"),
        *("id", "created_at", "updated_at"),
    )
    list_display = ("__str__", "identifier", "kind", "owner", "updated_at")
    list_filter = (("type", TypeFilter),)
    list_select_related = ("owner",)
    search_fields = ("identifier", "type", "labels")
    autocomplete_fields = ("owner",)
    readonly_fields = ("id", "created_at", "updated_at")

    @admin.display(description="Type", ordering="type")
    def kind(self, theme: Theme) -> str:
        return format_type(theme.type)

    @admin.display(description="Description")
    def about(self, theme: Theme) -> SafeString:
        return write_texts(theme.description)

    def get_fields(self, request: HttpRequest, obj: Theme | None = None) -> Any:
        """Leave out the field for a new type for staff who may only look."""
        fields = list(super().get_fields(request, obj))
        if obj is not None and not self.has_change_permission(request, obj):
            fields.remove("new_type")
        return fields

    def get_deleted_objects(self, objs: Iterable[Theme], request: HttpRequest) -> Any:
        """Return a sentence for each theme. Django would list all of its boards, of which there may be thousands.

        A theme with more than MAX_BOARDS_DELETED boards is listed as protected, which Django refuses to delete.
        """
        themes = list(objs)
        found = Theme.objects.filter(pk__in=[theme.pk for theme in themes])
        counts = dict(found.order_by().values_list("pk").annotate(Count("boards")))
        sentences = [describe_deletion(theme, counts.get(theme.pk, 0)) for theme in themes]
        large = [theme for theme in themes if counts.get(theme.pk, 0) > MAX_BOARDS_DELETED]
        protected = [describe_refusal(theme, counts[theme.pk]) for theme in large]
        return sentences, {self.opts.verbose_name_plural: len(themes)}, set(), protected


def describe_deletion(theme: Theme, boards: int) -> str:
    if not boards:
        return f"{full_name(theme)} has no boards."
    verbs = "It stays and loses" if boards == 1 else "They stay and lose"
    return f"{full_name(theme)} has {format_count(boards, 'board')}. {verbs} the theme."


def describe_refusal(theme: Theme, boards: int) -> str:
    number = format_count(boards, "board")
    return f"{full_name(theme)} has {number}: too many for a page. Run manage.py delete_theme {theme.pk}"


def full_name(theme: Theme) -> str:
    return f"{theme} ({theme.type}/{theme.identifier})"
