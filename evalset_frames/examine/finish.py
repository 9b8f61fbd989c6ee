"""From what was collected to the result: cross-row facts, set rules, tables, hints."""

from __future__ import annotations

from collections.abc import Sequence

from evalset_frames.canonical.facts import sum_of
from evalset_frames.contract.mapping import ALIASES
from evalset_frames.errors import UsageError
from evalset_frames.examine.collect import Collected
from evalset_frames.examine.completeness import completeness
from evalset_frames.examine.findings import findings
from evalset_frames.examine.identity import Identity, identify
from evalset_frames.examine.result import CheckResult
from evalset_frames.examine.schemas import REPEATED_IDS_SCHEMA
from evalset_frames.rules.model import Evidence, SourceEvidence
from evalset_frames.text import no_column


def finish(
    collected: Sequence[Collected], *, case_sensitive: bool = True, hints: Sequence[str] = ()
) -> CheckResult:
    """Hold everything together and give the result.

    Args:
        collected: One for each source of the set, in the order given; they share one store of ids.
        case_sensitive: Whether ids that differ in case are different ids.
        hints: Advice that reading brought up.

    Raises:
        UsageError: A column that was asked for or mapped is nowhere in the set.
    """
    _refuse_unseen(collected)
    sources = [part.source for part in collected]
    n_read = sum(part.n_parsed for part in collected)
    identity = identify(collected[0].store, sources, n_read, case_sensitive=case_sensitive)
    evidence = _evidence(collected, identity)
    n_total, n_parsed = evidence.n_rows, evidence.n_parsed
    return CheckResult(
        sources=tuple(part.source for part in collected),
        format=", ".join(dict.fromkeys(part.format for part in collected)),
        contract=collected[0].plan.contract,
        n_total=n_total,
        n_parsed=n_parsed,
        n_malformed=n_total - n_parsed,
        ids=identity.figures,
        findings=findings(collected, evidence),
        completeness=completeness(collected),
        repeated_ids=identity.repeated.select(REPEATED_IDS_SCHEMA.names()).cast(REPEATED_IDS_SCHEMA),
        hints=(*hints, *_mapping_hints(collected)),
    )


def _evidence(collected: Sequence[Collected], identity: Identity) -> Evidence:
    labels = {label for part in collected for label in part.labels}
    return Evidence(
        sources=[_source_evidence(part, order) for order, part in enumerate(collected)],
        tallies={name: sum_of(part.tallies[name] for part in collected) for name in collected[0].tallies},
        metadata_folded=any(part.metadata_folded for part in collected),
        labels=frozenset(labels),
        repeated_ids=identity.repeated,
        case_variants=identity.case_variants,
        invisible_variants=identity.invisible_variants,
    )


def _source_evidence(part: Collected, order: int) -> SourceEvidence:
    return SourceEvidence(
        order=order,
        source=part.source,
        plan=part.plan,
        header=part.header,
        n_rows=part.n_rows,
        n_parsed=part.n_parsed,
        others=part.others,
        faults=part.faults,
        repeated=part.repeated,
        coerced=part.coerced,
        n_coerced=part.n_coerced,
        fault_ids=part.fault_ids,
    )


def _refuse_unseen(collected: Sequence[Collected]) -> None:
    """A column that the caller named must be somewhere in the set, unless the set has no readable row."""
    if not any(part.n_parsed for part in collected):
        return
    plan = collected[0].plan
    seen = list(dict.fromkeys(name for part in collected for name in part.seen))
    known = {*seen, *(spec.name for spec in plan.fields)}
    plan.refuse_unseen(seen)
    for column in plan.require:
        if column not in known:
            raise UsageError(no_column(column, "asked for by require", seen))


def _mapping_hints(collected: Sequence[Collected]) -> list[str]:
    """Advice for a set that has rows but lacks the columns of required fields."""
    plan = collected[0].plan
    if not any(part.n_parsed for part in collected):
        return []
    seen = list(dict.fromkeys(name for part in collected for name in part.seen))
    hints = []
    for spec in plan.fields:
        if spec.required and plan.column_of(spec.name) not in seen:
            candidates = [name for name in seen if name in ALIASES.get(spec.name, ())]
            example = candidates[0] if candidates else "COLUMN"
            hints.append(
                f"no column is called {plan.column_of(spec.name)}; --map {spec.name}={example} (in Python"
                f" columns={{{spec.name!r}: {example!r}}}) reads another column as {spec.name}"
                + (", --map auto tries the usual names" if candidates else "")
            )
    return hints
