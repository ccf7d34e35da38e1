"""BoTorch: log constrained expected improvement, after the baseline and a Sobol point more than there are parameters."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import torch
from botorch import fit_gpytorch_mll
from botorch.acquisition.analytic import LogConstrainedExpectedImprovement
from botorch.exceptions import ModelFittingError
from botorch.models import SingleTaskGP
from botorch.models.transforms import Standardize
from botorch.optim import optimize_acqf
from gpytorch.mlls import ExactMarginalLogLikelihood
from live_cube import Cube
from live_peer import LivePeer
from live_system import Description, Params, Result
from scipy.stats import qmc

torch.set_num_threads(1)
torch.set_default_dtype(torch.float64)
warnings.simplefilter("ignore")

RESTARTS = 4
RAW_SAMPLES = 64
FIT = {"factr": 1e10}
"""A fit begins where the last one ended, and ends when a step gains less than two millionths of the likelihood."""
OPTIONS: dict[str, bool | float | int | str] = {"maxiter": 100}


class BoTorch(LivePeer):
    """A model an output with its noise inferred, fitted anew for every ask from where the last fit ended."""

    label = "BoTorch LogCEI"

    def __init__(self, system: Description, seed: int) -> None:
        super().__init__(system, seed)
        torch.manual_seed(seed)
        self._cube = Cube(system.space)
        dims = len(system.space)
        self._sobol = qmc.Sobol(dims, seed=seed)
        self._starts = [system.baseline, *map(self._cube.spread, self._sobol.random(dims + 1))]
        self._x: list[np.ndarray] = []
        self._y: list[list[float]] = []
        self._best: tuple[float, Params] | None = None
        self._last: dict[str, Any] | None = None

    def ask(self) -> Params:
        """The next of the design, then the maximum of the acquisition."""
        self._asked = self._starts.pop(0) if self._starts else self._cube.setting(self._decided())
        return self._asked

    def learn(self, result: Result) -> None:
        """Adds it to the data."""
        f = result.objective if self.system.maximize else -result.objective
        self._x.append(self._cube.point(self._asked))
        self._y.append([f, *result.excesses])
        if not result.over and (self._best is None or f > self._best[0]):
            self._best = (f, self._asked)

    def recommended(self) -> Params:
        """The best trial that was measured within the limits."""
        return self.system.baseline if self._best is None else self._best[1]

    def _decided(self) -> np.ndarray:
        y = torch.tensor(self._y)
        acquisition = LogConstrainedExpectedImprovement(
            model=self._fitted(torch.tensor(np.array(self._x)), y),
            best_f=self._best[0] if self._best is not None else float(y[:, 0].min()),
            objective_index=0,
            constraints={i: (None, 0.0) for i in range(1, y.shape[1])},
        )
        starts = self._promising(acquisition)
        found = [self._climbed(acquisition, group) for group in self._by_choices(starts)]
        return max(found, key=lambda pair: pair[1])[0]

    def _promising(self, acquisition: LogConstrainedExpectedImprovement) -> torch.Tensor:
        """The best of many settings and of the best trial: where the climbs start."""
        raw = [self._cube.point(self._cube.spread(u)) for u in self._sobol.random(RAW_SAMPLES)]
        if self._best is not None:
            raw.append(self._cube.point(self._best[1]))
        points = torch.tensor(np.array(raw))
        with torch.no_grad():
            values = acquisition(points[:, None])
        return points[values.topk(RESTARTS).indices]

    def _by_choices(self, starts: torch.Tensor) -> list[torch.Tensor]:
        """Starts that share their choices, which a climb keeps."""
        groups: dict[tuple[float, ...], list[torch.Tensor]] = {}
        for start in starts:
            groups.setdefault(tuple(start[self._cube.categorical].tolist()), []).append(start)
        return [torch.stack(group) for group in groups.values()]

    def _climbed(
        self, acquisition: LogConstrainedExpectedImprovement, starts: torch.Tensor
    ) -> tuple[np.ndarray, float]:
        kept = {column: float(starts[0, column]) for column in self._cube.categorical}
        point, value = optimize_acqf(
            acquisition,
            torch.tensor([[0.0], [1.0]]).repeat(1, self._cube.width),
            q=1,
            num_restarts=len(starts),
            batch_initial_conditions=starts[:, None],
            fixed_features=kept or None,
            options=OPTIONS,
        )
        return point[0].numpy(), float(value)

    def _fitted(self, x: torch.Tensor, y: torch.Tensor) -> SingleTaskGP:
        model = SingleTaskGP(x, y, outcome_transform=Standardize(y.shape[1]))
        if self._last is not None:
            # The transforms belong to the data of this ask; only the hyper-parameters are kept.
            model.load_state_dict({**model.state_dict(), **self._last})
        try:
            fit_gpytorch_mll(ExactMarginalLogLikelihood(model.likelihood, model), optimizer_kwargs={"options": FIT})
        except ModelFittingError:
            model.eval()
        self._last = {name: value.detach() for name, value in model.named_parameters()}
        return model
