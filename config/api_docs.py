"""What the API's documentation says before its first operation: how to begin, what stays, and what the words mean."""

from __future__ import annotations

DESCRIPTION = """
The same data, rules and refusals as the pages.

## How to begin
- Log in at `/api/v1/log-in/` and send the token as `Authorization: Bearer`. An operation without a padlock needs no
  log-in. Each operation names the scope that a token needs.
- Bodies and answers are JSON. Addresses end in a slash: without it you get 308 and the right address.
- What you see as an id in one answer is the id you send in the next request. People are named by their codes.
- A list goes on at the address in its header `Link`, with `rel="next"`. The last page has no such header.
- A write with a `key` in its body, or with the header `Idempotency-Key`, is done once, however often you send it.
- An error is `application/problem+json`. Branch on its `type`, show its `detail`.
- Names are plain text, without marks for the direction of writing: isolate them when you show them in a sentence.

## What stays
The address says the version: `/api/v1/`. In it no operation, field, or value of an enum disappears or changes its
meaning, no optional field becomes required, and no code in a problem's `type` changes. What may come at any time:
operations, optional fields, fields of answers, values of enums in answers, and codes. Read what you know and ignore
the rest. A change that would break this gets an address of its own, `/api/v2/`, and `/api/v1/` goes on beside it.

## Glossary
| word | means |
|---|---|
| chronicle | the log of a campaign: everything that happened, in order; a row of it is an **entry** |
| act | what somebody did, as it is sent; **effects** are what an act changed |
| state | what the entries of a log add up to |
| report, result | the outcome of a battle as somebody entered it; a confirmed report |
| petition | a report or a correction that waits for the people who must agree; **approval** on the pages |
| correction | an entry is struck, amended or restored: later entries say so, and nothing is deleted |
| battle table | the tracker: a battle as it is played, move by move |
| table, seat | a digital card game, and a place at it |
| sheet | paper, or the score sheet of a game with printed cards |
| slip | the paper of a battle, with the words that let its players report |
| night, play | an evening of a group, and one game that was played |
| shelf | the games that a group owns |
| muster | how a kingdom's army is made, die by die; a quick army needs no campaign |
| army code | a short text that is an army: what it was rolled from, nothing else is stored |
| guest | a person without an account, who comes in by a **personal link** |
| pass, link | an address that lets somebody do one thing |
| job | work that takes longer than a request: a print, an import, a backup |
| game master, host, owner | who runs a campaign, a group, the site |
| VP | victory points; **loyalty** and **house** are the book's words |
| A, B | the two sides of a battle |
"""

TAGS = {
    "log-in": "Get a token: by name and password, by personal link, with a new account; list and end tokens.",
    "me": "Your own account: name, arms, password, log-ins, notices, and everything the site stores about you.",
    "people": "The people you know, and the guests you look after.",
    "links": "What a link is for and accepting it, and the links you have made.",
    "home": "What waits for you, and the evenings you played.",
    "campaigns": "A campaign's chronicle, state, standings, approvals, seasons and files.",
    "musters": "Muster an army, roll a quick one, compare two, or draw a random game.",
    "battles": "Battles from their set-up to the report, with the tracker, slips, photos and statistics.",
    "tables": "Card games: tables and seats, decks, results, and score sheets for printed cards.",
    "groups": "Groups with their members, nights, plays, shelf, standings and webhooks.",
    "nights": "One night: who comes, what to bring, dates, votes, card tables and the recap.",
    "photos": "One photo of a play or a battle.",
    "print": "Sheets on paper: what can be printed, an order, its progress and its file.",
    "jobs": "Work in the background: its progress and its file.",
    "rules": "The rulebook as data, with exact odds. Needs no log-in.",
    "site": "For the owner of the site: how it is, and its backups.",
    "webhooks": "What the site sends to your own addresses.",
    "feeds": "Addresses outside the API that programs subscribe to.",
}
# Parts of the site that stand under the heading of another.
TAG_OF_PART = {
    **dict.fromkeys(("log-out", "sign-up", "first-owner", "forgotten-password", "tokens"), "log-in"),
    "passes": "links",
    **dict.fromkeys(("evenings", "your-move"), "home"),
}
