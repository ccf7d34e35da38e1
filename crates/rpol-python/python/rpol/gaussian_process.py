"""The model for its own sake."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from . import _rpol
from ._internal.arrays import column, point, rows
from ._internal.checks import number, whole
from .errors import InvalidSpecError
from .kernel import Kernel

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class Gradients(NamedTuple):
    """Gradients of mean and deviation, a row a point."""

    mean: npt.NDArray[np.float64]
    deviation: npt.NDArray[np.float64]


class GaussianProcess:
    """Exact Gaussian-process regression; repeated inputs merge exactly.

    Kernel and noise variance are in units of ``spread``, and ``centre`` is the constant mean: ``y = centre + spread *
    standard``. They are as given (``spread`` 1) until :meth:`fit` chooses them.

    >>> import rpol
    >>> gp = rpol.GaussianProcess(rpol.Kernel.matern52([0.3]), noise=1e-6).condition([[0.2], [0.8]], [1.0, 2.0])
    >>> mean, deviation = gp.predict([[0.2], [0.5]])
    >>> bool(abs(mean[0] - 1.0) < 1e-5), bool(deviation[0] < deviation[1])
    (True, True)
    """

    def __init__(self, kernel: Kernel, noise: float = 1e-2, centre: float = 0.0) -> None:
        self.kernel = kernel
        """The prior covariance, in units of ``spread``."""
        self.noise = number("noise", noise)
        """Noise variance of one observation, in units of ``spread``."""
        self.centre = number("centre", centre)
        """The constant mean."""
        self.spread = 1.0
        """The unit of an observation."""
        self.degraded: str | None = None
        """Why the last fit should be trusted less."""
        if self.noise <= 0:
            raise InvalidSpecError(f"noise: {noise} is not a variance: give a finite number above 0")
        self._native: _rpol.NativeProcess | None = None
        self._data: tuple[Any, Any, Any] | None = None

    def condition(
        self, x: npt.ArrayLike, y: npt.ArrayLike, variances: npt.ArrayLike | None = None
    ) -> GaussianProcess:
        """Takes observations as all there is, with the hyper-parameters as they are; ``variances`` are each one's own noise."""
        return self._conditioned(*self._checked(x, y, variances))

    def fit(
        self,
        x: npt.ArrayLike,
        y: npt.ArrayLike,
        variances: npt.ArrayLike | None = None,
        *,
        restarts: int = 2,
        seed: int = 0,
    ) -> GaussianProcess:
        """Chooses kernel, noise, centre and spread that explain observations best (maximum a posteriori), and takes them as
        all there is. Inputs are expected in the unit cube; the kernel gives the structure only.

        >>> import rpol
        >>> gp = rpol.GaussianProcess(rpol.Kernel.matern52([1.0]).scaled(1.0))
        >>> gp.fit([[0.1], [0.5], [0.9]], [1.0, 2.0, 3.0]).noise > 0
        True
        """
        data = self._checked(x, y, variances)
        kernel, noise, scale, degraded = _rpol.fit(self.kernel.to_json(), *data, whole("restarts", restarts), whole("seed", seed))
        self.kernel, self.noise = _read(kernel), noise
        (self.centre, self.spread), self.degraded = scale, degraded
        return self._conditioned(*data)

    def observe(self, x: npt.ArrayLike, y: float, variance: float | None = None) -> None:
        """Adds one observation, which takes n² operations and not n³."""
        import numpy as np

        row, value = point("x", x), column("y", [y], 1)
        if self._data is None:
            self.condition(row, value, None if variance is None else [variance])
            return
        noise = self.noise if variance is None else number("variance", variance) / self.spread**2
        self._posterior().observe(row[0].tolist(), float(value[0]), noise)
        old_x, old_y, old = self._data
        if old is not None or variance is not None:
            shared = np.full(len(old_y), self.noise * self.spread**2) if old is None else old
            old = np.append(shared, noise * self.spread**2)
        self._data = np.vstack([old_x, row]), np.append(old_y, value), old

    def predict(self, x: npt.ArrayLike) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Mean and latent deviation (without the noise of a measurement) at every row."""
        return self._posterior().predict(rows("x", x))

    def gradients(self, x: npt.ArrayLike) -> Gradients:
        """Gradients of mean and deviation at every row."""
        return Gradients(*self._posterior().gradients(rows("x", x)))

    def information_gain(self) -> float:
        """½ ln det(I + K/λ) of the observations."""
        return self._posterior().gain()

    def greedy_gain(self, x: npt.ArrayLike, most: int) -> npt.NDArray[np.float64]:
        """The information gain of the greedy choice of 1, 2, ..., ``most`` of the rows: within 1 - 1/e of the largest."""
        return _rpol.greedy_gain(self.kernel.to_json(), self.noise, rows("x", x), whole("most", most))

    def log_marginal_likelihood(self) -> float:
        """Of the observations, in their own unit."""
        self._posterior()
        return _rpol.log_evidence(self.kernel.to_json(), self.noise, (self.centre, self.spread), *self._known())

    def _checked(self, x: npt.ArrayLike, y: npt.ArrayLike, variances: npt.ArrayLike | None) -> tuple[Any, Any, Any]:
        points = rows("x", x)
        values = column("y", y, len(points))
        return points, values, None if variances is None else column("variances", variances, len(points))

    def _conditioned(self, x: Any, y: Any, variances: Any) -> GaussianProcess:
        scale = (self.centre, self.spread)
        self._native = _rpol.NativeProcess(self.kernel.to_json(), self.noise, scale, x, y, variances)
        self._data = x.copy(), y.copy(), None if variances is None else variances.copy()
        return self

    def _posterior(self) -> _rpol.NativeProcess:
        if self._native is None:
            raise InvalidSpecError("x: nothing was observed: give observations by condition, fit or observe")
        return self._native

    def _known(self) -> tuple[Any, Any, Any]:
        assert self._data is not None, "there is a posterior"
        return self._data

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_native": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if self._data is not None:
            self._conditioned(*self._data)

    def __repr__(self) -> str:
        count = 0 if self._data is None else len(self._data[1])
        return f"<rpol.GaussianProcess of {count} observations, noise {self.noise:g}, {self.kernel!r}>"


def _read(kernel: str) -> Kernel:
    import json

    return Kernel(json.loads(kernel))
