# make run    start the site
# make test   run all checks and tests
# make test DATABASE=postgresql  the same with PostgreSQL instead of SQLite for tests that ask the database themselves
# make test-postgresql  only such tests, of what asks the most of it
# make check  run the linters, mypy and Django's checks only
# make soak   run the long versions of tests
# make bench  measure, into docs/BENCHMARKS.md
# make faults kill and starve a site under load, and count what was lost
# make load   500 phones at 100 card tables and 50 campaigns for three minutes
# make fuzz   send 20,000 bad requests per database
# make schemathesis  let another fuzzer try the API for two minutes (needs the network)
# make audit  ask PyPI for known holes in our dependencies (needs the network)
# make newest  a few tests with the newest release of each dependency
# make lock   update the lock files from pyproject.toml

PYTHON ?= python3
PY := .venv/bin/python
# For two cores or more. A third test can run while two wait for a browser or a process.
WORKERS ?= 3

# Everything that asks through selectors and services of campaigns, battles, card games and game nights.
ON_POSTGRESQL := tests/campaign tests/battles tests/cardgames tests/gamenights tests/groups tests/home tests/log \
	tests/pages/test_prepared_queries.py tests/site/test_query_counts.py
# A site that starts, its pages, its queries and its jobs.
NEWEST := tests/test_private_names.py tests/home/test_serve.py tests/pages/test_pages.py tests/pages/test_drawn_parts.py \
	tests/pages/test_prepared_queries.py tests/jobs tests/live/test_stream_view.py tests/site/test_api_schema.py
# Read by tests/environment.py.
export DATABASE

# Tests start hundreds of processes. Without compiled modules each of them takes a second longer.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run test test-postgresql check soak bench lock faults load fuzz schemathesis audit newest

run:
	@$(PYTHON) bootstrap.py run
	@exec $(PY) manage.py serve

test: check
	@$(PY) -m pytest -n $(WORKERS) --dist worksteal -q -m "not soak"

test-postgresql:
	@$(PYTHON) bootstrap.py dev
	@DATABASE=postgresql $(PY) -m pytest -n $(WORKERS) --dist worksteal -q -m "database and not soak" $(ON_POSTGRESQL)

check:
	@$(PYTHON) bootstrap.py dev
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check --quiet .
	@.venv/bin/djlint templates --lint --quiet
	@$(PY) -m mypy
	@.venv/bin/bandit -q -c pyproject.toml -r .
	@VAR=$$(mktemp -d) DEMO=0 $(PY) manage.py makemigrations --check --dry-run
	@VAR=$$(mktemp -d) DEBUG=0 PUBLIC_URL=https://mice.example.org $(PY) manage.py check --deploy --fail-level WARNING

soak:
	@$(PYTHON) bootstrap.py dev
	@SEARCH=1 $(PY) -m pytest -n $(WORKERS) -q -m soak

bench:
	@$(PYTHON) bootstrap.py dev
	@$(PY) -m bench

faults:
	@$(PYTHON) bootstrap.py dev
	@$(PY) -m tests.faults

load:
	@$(PYTHON) bootstrap.py dev
	@$(PY) -m tests.load $(if $(TABLES),--tables $(TABLES)) $(if $(CAMPAIGNS),--campaigns $(CAMPAIGNS)) $(if $(MINUTES),--minutes $(MINUTES))

fuzz:
	@$(PYTHON) bootstrap.py dev
	@$(PY) -m tests.fuzz

schemathesis:
	@$(PYTHON) bootstrap.py dev
	@$(PY) -m tests.fuzz.schemathesis_run

audit:
	@$(PYTHON) bootstrap.py dev
	@.venv/bin/uv tool run pip-audit --disable-pip --require-hashes -r requirements.txt

# The newest releases that this Python can install, instead of those in the lock files.
newest:
	@$(PYTHON) bootstrap.py dev
	@folder=$$(mktemp -d) && .venv/bin/uv venv --quiet $$folder && \
	  .venv/bin/uv pip install --quiet --python $$folder/bin/python -r pyproject.toml --group dev && \
	  $$folder/bin/python -m pytest -q -n $(WORKERS) $(NEWEST); status=$$?; rm -rf "$$folder"; exit $$status

lock:
	@$(PYTHON) bootstrap.py dev
	@.venv/bin/uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links --no-header --quiet -o requirements.txt
	@.venv/bin/uv pip compile pyproject.toml --group dev -c requirements.txt --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links --no-header --quiet -o requirements-dev.txt
