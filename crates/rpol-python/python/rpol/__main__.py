"""``python -m rpol`` is the command ``rpol``."""

import sys

from ._internal.command import main

if __name__ == "__main__":
    sys.exit(main())
