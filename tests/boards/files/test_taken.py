"""A file whose import fails is there again, unless its owner is erased meanwhile."""

import pytest

from accounts.personal_data.erasure import erase
from boards.files.uploading import receive
from boards.files.uploads import taken
from boards.models import Upload
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("is_erased", [False, True])
def test_a_file_comes_back_when_its_import_fails_but_not_after_an_erasure(is_erased: bool) -> None:
    zia = factories.account("zia")
    upload = receive(uploader=zia, owner=zia, name="evening.pbn", content=b"x")

    def fail() -> None:
        with taken(uploader=zia, upload_id=upload.pk):
            assert not Upload.objects.exists()
            if is_erased:
                erase(account_id="zia", by=None)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert Upload.objects.exists() is not is_erased
