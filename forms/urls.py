from django.urls import path

from forms.declarations import FORMS
from forms.views import FormListView, view_of

urlpatterns = [
    path("forms", FormListView.as_view(), name="form-list"),
    *(path(f"forms/{form.name}", view_of(form), name=f"form-{form.name}") for form in FORMS.values()),
]
