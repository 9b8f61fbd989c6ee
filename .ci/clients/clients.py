"""Each vendor's real client takes an export and gives back what it holds.

A client runs in an environment of its own, below the folder of tools that `run.sh` fills, and with no more of
the caller's environment than a path. Whatever a client or a server says against the export ends the proof.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from braintrust_server import SENT, BraintrustServer
from langsmith_server import LangSmithServer
from loopback import serve
from work import HERE, Held, ProofError, Record, Work, by_id, check_requests, lines, told

# ---------------------------------------------------------------------------------------- promptfoo

_PROMPTFOO = {
    "PROMPTFOO_DISABLE_TELEMETRY": "1",
    "PROMPTFOO_DISABLE_UPDATE": "1",
    "PROMPTFOO_DISABLE_REMOTE_GENERATION": "true",
    "PROMPTFOO_DISABLE_DEBUG_LOG": "1",  # a run of many failures may end in writing to a log that is closed
    "PROMPTFOO_DISABLE_ERROR_LOG": "1",
    "PROMPTFOO_FAILED_TEST_EXIT_CODE": "0",
}
_EVAL = ["--no-cache", "--no-write", "--no-share", "--no-table", "--no-progress-bar"]


def promptfoo(work: Work) -> list[Held]:
    """Validate the written config, and run it with our providers in the place of its own."""
    tests, verdicts, prompts = (work.out / name for name in ("tests.json", "verdicts.jsonl", "prompts.jsonl"))
    variables = {
        **_PROMPTFOO,
        "PROMPTFOO_CONFIG_DIR": str(work.out / "config"),
        "PROOF_ROWS": str(work.rows),
        "PROOF_TESTS": str(tests),
        "PROOF_VERDICTS": str(verdicts),
        "PROOF_PROMPTS": str(prompts),
    }
    command = work.tools / "promptfoo" / "node_modules" / ".bin" / "promptfoo"
    config = ["-c", "promptfooconfig.yaml"]
    ours = [f"file://{HERE}/promptfoo_{name}" for name in ("oracle.cjs", "contrarian.cjs", "hook.cjs:watch")]

    def run(*arguments: str) -> str:
        return work.run([command, *arguments], variables, work.export)

    version = run("--version").strip()
    if "Configuration is valid" not in run("validate", "config", *config):
        raise ProofError("promptfoo validate config does not say that the config is valid")
    run("eval", *config, "-r", *ours[:2], "-x", ours[2], *_EVAL)
    rows = lines(work.rows)
    _check_verdicts(lines(verdicts), rows)
    _check_prompts(lines(prompts), {row["id"]: row["input"] for row in rows})
    sent, held = lines(work.export / "tests.jsonl"), json.loads(tests.read_bytes())
    kept = (by_id(records, "metadata", "evalset", "id") for records in (sent, held))
    return [Held(f"promptfoo {version}", "validate config, eval", tests, *kept)]


def _check_verdicts(told: list[Record], rows: list[Record]) -> None:
    """The right answers pass and the wrong ones fail, on every row that has an expected."""
    found = sorted((one["id"], one["provider"], one["success"]) for one in told)
    right = [(row["id"], "oracle", True) for row in rows]
    right += [(row["id"], "contrarian", row.get("expected") is None) for row in rows]
    if found != sorted(right):
        raise ProofError(f"promptfoo's verdicts are wrong: {sorted(set(found) ^ set(right))}")


def _check_prompts(asked: Iterable[Record], inputs: Mapping[str, Any]) -> None:
    """A model is asked the input: text as it is, anything else as its JSON."""
    for one in asked:
        wanted = inputs[one["id"]]
        prompt = one["prompt"] if isinstance(wanted, str) else _as_javascript_reads(json.loads(one["prompt"]))
        if prompt != (wanted if isinstance(wanted, str) else _as_javascript_reads(wanted)):
            raise ProofError(f"the prompt of row {one['id']} is not its input")


def _as_javascript_reads(value: Any) -> Any:
    """A JSON value with its numbers as doubles, since promptfoo has no others (the carry table says so)."""
    return json.loads(json.dumps(value), parse_int=float)


# ----------------------------------------------------------------------------------------- DeepEval


def deepeval(work: Work) -> list[Held]:
    """Load the goldens, as a JSON array or as JSON Lines, and save them again."""
    (source,) = work.export.glob("goldens.*")
    suffix = source.suffix.removeprefix(".")
    held, saved = work.out / "held.json", work.out / f"saved.{suffix}"
    variables = {"DEEPEVAL_TELEMETRY_OPT_OUT": "1", "DEEPEVAL_DISABLE_DOTENV": "1"}
    client = work.python("deepeval", [source, held, saved], variables)
    sent = lines(source) if suffix == "jsonl" else json.loads(source.read_bytes())
    kept = (by_id(map(told, records), "name") for records in (sent, json.loads(held.read_bytes())))
    return [Held(client, f"add_goldens_from_{suffix}_file, save_as", saved, *kept)]


# ---------------------------------------------------------------------------------------- LangSmith


def langsmith(work: Work) -> list[Held]:
    """Create the examples, after a look that the client's model ignores no key, and list them."""
    examples, listed = work.export / "examples.jsonl", work.out / "listed.jsonl"
    with serve(LangSmithServer().routes()) as (address, unknown):
        client = work.python("langsmith", [examples, address, listed], {"LANGSMITH_TRACING": "false"})
    check_requests(unknown)
    sent = [_as_listed(example) for example in lines(examples)]
    held = [{name: example.get(name) for name in sent[0]} for example in lines(listed)]
    kept = (by_id(records, "metadata", "evalset", "id") for records in (sent, held))
    return [Held(client, "ExampleCreate, create_examples, list_examples", listed, *kept)]


def _as_listed(example: Record) -> Record:
    """An example of the export as the service shows it: the split stands in the metadata."""
    metadata = {**example["metadata"], "dataset_split": [example.get("split", "base")]}
    return {**{name: example.get(name) for name in ("id", "inputs", "outputs")}, "metadata": metadata}


# --------------------------------------------------------------------------------------- Braintrust


def braintrust(work: Work) -> list[Held]:
    """Create a dataset with bt and view it; insert and fetch with the Python SDK."""
    records = work.export / "records.jsonl"
    viewed, fetched = work.out / "viewed.json", work.out / "fetched.jsonl"
    server = BraintrustServer()
    with serve(server.routes()) as (address, unknown):
        server.address = address
        variables = {
            "BRAINTRUST_API_KEY": "key",
            "BRAINTRUST_API_URL": address,
            "BRAINTRUST_APP_URL": address,
            "BRAINTRUST_ORG_NAME": "test-org",
            "BRAINTRUST_DEFAULT_PROJECT": "p",
        }
        bt = work.tools / "bt" / "bt"
        datasets: list[str | Path] = [bt, "datasets", "--json", "--no-input"]
        work.run([*datasets, "create", "bt", "--file", records], variables)
        version = work.run([bt, "--version"], variables).strip()
        view = work.run([*datasets, "view", "bt", "--full", "--all-rows"], variables)
        viewed.write_text(view, "utf-8")
        client = work.python("braintrust", [records, fetched], variables)
    check_requests(unknown)
    sent = _sent(lines(records))
    return [
        Held(
            version, "datasets create, view --full --all-rows", viewed, sent, _sent(json.loads(view)["rows"])
        ),
        Held(f"{client} (Python SDK)", "insert, fetch", fetched, sent, _sent(lines(fetched))),
    ]


def _sent(records: list[Record]) -> dict[str, Record]:
    """Records without what the service adds, by their ids."""
    own = ({name: record.get(name) for name in SENT if name != "created"} for record in records)
    return by_id(map(told, own))


CLIENTS: dict[str, Callable[[Work], list[Held]]] = {
    "promptfoo": promptfoo,
    "deepeval": deepeval,
    "langsmith": langsmith,
    "braintrust": braintrust,
}
"""Vendor, as `export_to` calls it -> how its clients take an export."""
