"""The public forms, each declared once: its name, its texts and its serializer."""

from dataclasses import dataclass

from config.api.serializers import StrictSerializer
from forms.serializers import BoardReportForm, ContactForm, OrganisationForm


@dataclass(frozen=True, slots=True)
class Form:
    """One public form. `name` is the last part of its address, `thanks` the sentence after it was sent."""

    name: str
    title: str
    thanks: str
    serializer: type[StrictSerializer]

    @property
    def description(self) -> str:
        return self.serializer.__doc__ or ""


FORMS = {
    form.name: form
    for form in (
        Form("contact", "Write to us", "We have received your message. We read every one.", ContactForm),
        Form(
            "organisation",
            "Join as an organisation",
            "We have received your request. We will answer to the address you gave.",
            OrganisationForm,
        ),
        Form(
            "board-report",
            "Report a problem with a board",
            "We have received your report. Somebody will look at the board.",
            BoardReportForm,
        ),
    )
}
