# %% [markdown]
# # Exporting a checked set
#
# Evaluation tools read their own formats, and each can carry some of a golden set and not the rest. This
# notebook takes a clean set to such a tool, asks first what would be lost, and reads the result back to
# compare.

# %%
import tempfile
from pathlib import Path

import evalset_frames as ef

folder = Path(tempfile.mkdtemp())
DATA = Path("data" if Path("data").is_dir() else "notebooks/data")  # in its own folder, or in a checkout
SET = DATA / "clean.jsonl"

# %% [markdown]
# ## Check first
#
# An export of a broken set is a broken set in another format. `raise_if` stops here unless the set is
# sound.

# %%
ef.check(SET).raise_if("error")

# %% [markdown]
# ## What the format can carry
#
# The carry table says, for each field of the set, where it goes in the tool's format, and what cannot be
# told there.

# %%
ef.carry_table(SET, "promptfoo")

# %% [markdown]
# ## Write it
#
# The export writes files into a folder of your choice and nothing anywhere else, and says what to run next.
# A set with errors is refused, and so is a folder that is there already.

# %%
done = ef.export_to(SET, "promptfoo", out=folder / "promptfoo")
done.files, done.rows

# %% [markdown]
# ## There and back
#
# What the tool has no home for rides along in its metadata, so the file can be read as a golden set again.
# Out and back, nothing is lost: the rows are those of the set.

# %%
written = folder / "promptfoo" / done.files[0]
back = ef.import_from(written, "promptfoo")
back

# %%
columns = ["id", "input", "expected", "split", "slice", "tags", "metadata"]
same = back.frame.select(columns).equals(ef.read(SET).select(columns))
assert same
same

# %% [markdown]
# ## What to take away
#
# Look at the carry table before you export, and keep the set itself as the original: exports are made from
# it again whenever it changes.
