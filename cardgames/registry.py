"""Where apps above hook into card games: results, and other things that are opened by a code of a few letters."""

from collections.abc import Callable

from people.requester import Who

# Answers with the address of what has this code, or "": what this visitor may open or, without one, anything.
FindByCode = Callable[[str, Who | None], str]
CountCodes = Callable[[], int]
ResultHook = Callable[["object"], None]

_code_holders: dict[FindByCode, CountCodes] = {}
_result_hooks: list[ResultHook] = []


def register_code_holder(find: FindByCode, count: CountCodes) -> None:
    """Something else that is opened by a code of the same pool, such as a game night, and how many are open now."""
    _code_holders[find] = count


def find_by_code(code: str, who: Who | None = None) -> str:
    return next((url for find in _code_holders if (url := find(code, who))), "")


def count_codes() -> int:
    return sum(count() for count in _code_holders.values())


def register_result_hook(hook: ResultHook) -> None:
    """``hook(result)`` runs after a result with its seats was saved, in the same transaction."""
    if hook not in _result_hooks:
        _result_hooks.append(hook)


def call_result_hooks(result: object) -> None:
    for hook in _result_hooks:
        hook(result)
