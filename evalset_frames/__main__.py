"""``python -m evalset_frames``: the command line, where its program is not on the path."""

import sys

from evalset_frames.cli.main import main

sys.exit(main())
