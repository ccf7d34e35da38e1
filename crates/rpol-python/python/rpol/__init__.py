"""rpol: find the best setting of a running system whose limits are unknown, and count every violation on the way there.

>>> import rpol
>>> study = rpol.create_study(name="cache", direction="minimize", objective="cost",
...     params={"ttl_s": rpol.Float(1, 3600, log=True), "shards": rpol.Int(1, 64)}, constraints=["p99_ms <= 250"])
>>> for _ in range(5):
...     trial = study.ask()
...     told = study.tell(trial, {"cost": 900 / trial["ttl_s"] ** 0.5, "p99_ms": 100 + 0.1 * trial["ttl_s"]})
>>> study.ledger["p99_ms"].observed
5
"""

from __future__ import annotations

from . import errors
from ._rpol import __version__
from .belief import Belief, Calibration, LimitBelief, Merged, Prediction, Status
from .create import create_study, load_study
from .errors import (
    AlreadyToldError,
    ConflictError,
    DamagedError,
    ForkError,
    InfeasibleError,
    InternalError,
    InvalidLogError,
    InvalidSpecError,
    MissingError,
    NoSafeStartError,
    NotFiniteError,
    NotInstalledError,
    OutOfBoundsError,
    RpolError,
    CompactedError,
    SingularError,
    StorageError,
    StudyExistsError,
    UnknownNameError,
    UnknownStudyError,
    UnknownTrialError,
    WrongLengthError,
    WrongTypeError,
)
from .gaussian_process import GaussianProcess, Gradients
from .kernel import Kernel
from .ledger import Account, Ledger
from .params import Bool, Categorical, Float, Int
from .plot import Figure
from .recommendation import Expectation, LimitOutlook, Recommendation
from .spec import Spec
from .study import Study
from .trial import Trial

__all__ = [
    "__version__",
    "Account",
    "AlreadyToldError",
    "Belief",
    "Bool",
    "Calibration",
    "Categorical",
    "ConflictError",
    "DamagedError",
    "Expectation",
    "Figure",
    "Float",
    "ForkError",
    "GaussianProcess",
    "Gradients",
    "InfeasibleError",
    "Int",
    "InternalError",
    "InvalidLogError",
    "InvalidSpecError",
    "Kernel",
    "Ledger",
    "LimitBelief",
    "LimitOutlook",
    "Merged",
    "MissingError",
    "NoSafeStartError",
    "NotFiniteError",
    "NotInstalledError",
    "OutOfBoundsError",
    "Prediction",
    "Recommendation",
    "RpolError",
    "CompactedError",
    "SingularError",
    "Spec",
    "Status",
    "StorageError",
    "Study",
    "StudyExistsError",
    "Trial",
    "UnknownNameError",
    "UnknownStudyError",
    "UnknownTrialError",
    "WrongLengthError",
    "WrongTypeError",
    "create_study",
    "errors",
    "load_study",
]
