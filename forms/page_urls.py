from django.urls import path

from forms.declarations import FORMS
from forms.pages import FormIndexPage, FormPage, ThanksPage

urlpatterns = [
    path("forms", FormIndexPage.as_view(), name="form-index"),
    *(
        path(f"forms/{form.name}", FormPage.as_view(form=form), name=f"form-page-{form.name}")
        for form in FORMS.values()
    ),
    *(
        path(f"forms/{form.name}/thanks", ThanksPage.as_view(form=form), name=f"form-thanks-{form.name}")
        for form in FORMS.values()
    ),
]
