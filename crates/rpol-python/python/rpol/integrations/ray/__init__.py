"""rpol as a searcher of Ray Tune: see :class:`RpolSearch`."""

from .._refusal import require

require("ray.tune", "ray")

from .search import RpolSearch  # noqa: E402

__all__ = ["RpolSearch"]
