"""Rules about places in a row or a document: what a JSON Schema asks of the value there.

Their check turns the place and what is wrong there into the message of the finding.
"""

from __future__ import annotations

from typing import Final

from evalset_frames.rules.model import Rule, rule


@rule(id="schema.*", severity="error", tier="contract", scope="place", per="place and keyword")
def broken_keyword(pointer: str, said: str) -> str:
    """A value breaks a keyword of your own JSON Schema.

    Why it matters: whoever reads the set counts on the schema; a row outside it fails there, or is
    counted as something it is not.

    Fires on: each place in a row that a keyword refuses. The rule is called after the keyword
    (`schema.maxLength`, `schema.required`), `schema.false` where the schema is `false`; the message begins
    with the JSON Pointer of the place; in `evalset check --contract FILE` alone.

    Stays quiet on: `format` and other keywords that are notes to the reader; keys that the schema does not
    name, unless it says `additionalProperties: false`.
    """
    return f"{pointer}: {said}" if pointer else said


@rule(
    id="contract.testing-dataset", severity="error", tier="contract", scope="place", per="place and keyword"
)
def testing_dataset(pointer: str, said: str) -> str:
    """Something does not fit a request of testing-dataset/v1.

    Why it matters: whoever imports the request refuses it as a whole.

    Fires on: each place of a request that breaks a type or a limit, or a key too many (`evalset
    testing-dataset`); each case of a set that does not fit into a request (`EvalSet.to_testing_dataset`).

    Stays quiet on: the quality of questions and criteria.
    """
    return broken_keyword.check(pointer, said)  # type: ignore[no-any-return]


RULES: Final[tuple[Rule, ...]] = (broken_keyword, testing_dataset)
