"""Everything rpol raises: each a subclass of :class:`RpolError`, with the field, the value and the remedy in its message.

Where Python has a class for the same mistake, the exception is one of those too: ``except ValueError`` works.
"""

from __future__ import annotations


class RpolError(Exception):
    """Whatever is wrong. The state before the call is the state after it."""


class NotFiniteError(RpolError, ValueError):
    """A number that must be finite is NaN or infinite."""


class WrongTypeError(RpolError, TypeError):
    """A value of another type stands where one type is needed."""


class InvalidSpecError(RpolError, ValueError):
    """A definition (study, kernel, strategy, ...) is not usable; the message begins with the path of the field."""


class OutOfBoundsError(RpolError, ValueError):
    """A value lies outside its declared range."""


class UnknownNameError(RpolError, LookupError):
    """A name that is not among the known ones."""


class MissingError(RpolError, ValueError):
    """A value that must be given is not."""


class UnknownTrialError(RpolError, LookupError):
    """No trial has this number."""


class CompactedError(RpolError, LookupError):
    """A trial belongs to the compacted history, of which only sums are kept."""


class AlreadyToldError(RpolError, ValueError):
    """A metric of a trial was told before, with another value; nothing was overwritten."""


class InfeasibleError(RpolError, RuntimeError):
    """The model believes that no setting is feasible, and the study says to stop then."""


class NoSafeStartError(RpolError, RuntimeError):
    """A safe policy has no setting it knows to be safe."""


class ConflictError(RpolError, RuntimeError):
    """Another writer was faster."""


class StudyExistsError(RpolError, ValueError):
    """A study of that name is there already, or has another definition."""


class InvalidLogError(RpolError, ValueError):
    """A log does not begin as it should, or its entries do not follow from each other."""


class StorageError(RpolError, OSError):
    """A store cannot be opened, read or written."""


class DamagedError(RpolError, OSError):
    """What a store holds is damaged: nothing was changed."""


class UnknownStudyError(RpolError, LookupError):
    """There is no study of that name."""


class WrongLengthError(RpolError, ValueError):
    """A point or a list has the wrong number of entries."""


class SingularError(RpolError, ArithmeticError):
    """A covariance matrix is not positive definite, even with the largest jitter allowed."""


class ForkError(RpolError, RuntimeError):
    """A study is used on the other side of a fork."""


class NotInstalledError(RpolError, ImportError):
    """A package that is not needed for anything else is not there."""


class InternalError(RpolError, RuntimeError):
    """rpol broke down: a fault of its own."""
