"""From hits and evidence to the findings frame: every rule's findings, placed, told and in order."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from evalset_frames.examine.collect import HIT_SCHEMA, Collected
from evalset_frames.examine.schemas import FINDINGS_SCHEMA
from evalset_frames.names import IS_EMPTY, KIND_BITS, KINDS, STATE_BITS, STRING, WRONG
from evalset_frames.rules.model import FOUND_SCHEMA, Evidence, Rule
from evalset_frames.rules.registry import RULES

_ORDER_OF_RULE = {rule.id: number for number, rule in enumerate(RULES)}


def findings(collected: Sequence[Collected], evidence: Evidence) -> pl.DataFrame:
    """All findings (`FINDINGS_SCHEMA`), by source, severity, row (null last), rule, column."""
    parts = [_row_findings(part, order) for order, part in enumerate(collected)]
    parts += [labelled(rule, rule.check(evidence)) for rule in _set_rules(evidence)]
    sources = pl.Series([part.source for part in collected], dtype=pl.String)
    every = pl.concat(parts)
    if every.height:
        every = every.with_columns(source=pl.lit(sources).gather(pl.col("order")))
    else:
        every = every.with_columns(source=pl.lit(None, pl.String))
    rank = pl.col("rule").replace_strict(_ORDER_OF_RULE, return_dtype=pl.Int64)
    in_order = every.with_columns(rank=rank).sort(
        "order",
        "severity",
        "row",
        "rank",
        "column",
        nulls_last=[False, False, True, False, True],
        maintain_order=True,
    )
    return in_order.select(FINDINGS_SCHEMA.names()).cast(FINDINGS_SCHEMA)


def _set_rules(evidence: Evidence) -> list[Rule]:
    """The set rules that may speak: where no row could be read, only row.malformed does."""
    silent = evidence.n_rows > 0 and evidence.n_parsed == 0
    return [rule for rule in RULES if rule.scope == "set" and (rule.id == "row.malformed" or not silent)]


def _row_findings(part: Collected, order: int) -> pl.DataFrame:
    hits = pl.concat(part.hits) if part.hits else HIT_SCHEMA.to_frame()
    frames = [
        labelled(_rule(rule_id), _told(of_test, order, test.column, test.message))
        for number, (rule_id, test) in enumerate(part.tests)
        if (of_test := hits.filter(pl.col("test") == number)).height
    ]
    return pl.concat(frames) if frames else labelled(RULES[0], FOUND_SCHEMA.to_frame())


def _told(hits: pl.DataFrame, order: int, column: str, message: str) -> pl.DataFrame:
    codes = hits["code"].unique().sort().to_list()
    texts = {code: message.format(column=column, what=what(code)) for code in codes}
    return hits.select(
        pl.lit(order, pl.Int64).alias("order"),
        "row",
        "line",
        pl.lit(column).alias("column"),
        pl.when(pl.col("id") != "").then("id").alias("id"),
        pl.lit(1, pl.Int64).alias("count"),
        pl.concat_list("row").alias("rows"),
        pl.concat_list("line").list.drop_nulls().alias("lines"),
        pl.col("code").replace_strict(texts, return_dtype=pl.String).alias("message"),
    )


def what(code: int) -> str:
    """A cell in words, by its code: its state where it is missing, else its kind; never its value."""
    kind, state = code & KIND_BITS, code & STATE_BITS
    if state == IS_EMPTY:
        return "blank" if kind <= STRING else f"an empty {KINDS[kind]}"
    name = KINDS[kind]
    if name in ("absent", "null"):
        return name
    if code & WRONG:
        return "a list that holds other things than strings"
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def _rule(rule_id: str) -> Rule:
    return RULES[_ORDER_OF_RULE[rule_id]]


def labelled(rule: Rule, found: pl.DataFrame) -> pl.DataFrame:
    """What a rule found (`FOUND_SCHEMA`), with the rule's severity, id and tier."""
    return found.with_columns(
        severity=pl.lit(rule.severity, FINDINGS_SCHEMA["severity"]),
        rule=pl.lit(rule.id),
        tier=pl.lit(rule.tier),
    )
