"""rpol as a sampler of Optuna: see :class:`RpolSampler`."""

from .._refusal import require

require("optuna", "optuna")

from .sampler import RpolSampler  # noqa: E402

__all__ = ["RpolSampler"]
