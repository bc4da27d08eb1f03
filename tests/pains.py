"""What users of such bots reported, as far as this product answers it.

Each entry is a promise. A test that keeps one carries `@pytest.mark.pain("12")`; tests/house/test_pains.py
fails when a promise has no test or a mark no promise.
"""

PAINS: dict[str, str] = {}
