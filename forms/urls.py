from django.urls import path

from forms.declarations import FORMS
from forms.views import FormListView, make_view

urlpatterns = [
    path("forms", FormListView.as_view(), name="form-list"),
    *(path(f"forms/{form.name}", make_view(form), name=f"form-{form.name}") for form in FORMS.values()),
]
