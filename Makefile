# make run    start the site        make test   all tests, with checks
# make check  lint, types, settings make soak   the long forms of tests
# make bench  one table of ratios   make lock   write the lock files anew

PYTHON ?= python3
PY := .venv/bin/python
# Two cores are the smallest machine the suite is meant for.
WORKERS ?= 2

.PHONY: run test check soak bench lock

run:
	@$(PYTHON) bootstrap.py run
	@exec $(PY) manage.py serve

test: check
	@$(PY) -m pytest -n $(WORKERS) --dist worksteal -q -m "not soak"

check:
	@$(PYTHON) bootstrap.py dev
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check --quiet .
	@$(PY) -m mypy
	@VAR=$$(mktemp -d) DEMO=0 $(PY) manage.py makemigrations --check --dry-run
	@VAR=$$(mktemp -d) DEBUG=0 PUBLIC_URL=https://mice.example.org $(PY) manage.py check --deploy --fail-level WARNING

soak:
	@$(PYTHON) bootstrap.py dev
	@SEARCH=1 $(PY) -m pytest -n $(WORKERS) -q -m soak

bench:
	@$(PYTHON) bootstrap.py dev
	@$(PY) -m bench

lock:
	@$(PYTHON) bootstrap.py dev
	@.venv/bin/uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links --no-header --quiet -o requirements.txt
	@.venv/bin/uv pip compile pyproject.toml --group dev -c requirements.txt --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links --no-header --quiet -o requirements-dev.txt
