"""The load run itself: a few phones, no error."""

from __future__ import annotations

import pytest

from tests.load import __main__ as load


@pytest.mark.soak
def test_a_few_phones_meet_no_error(capsys):
    load.main(["--tables", "2", "--campaigns", "1", "--minutes", "0.2"])
    assert "Not fine: nothing." in capsys.readouterr().out
