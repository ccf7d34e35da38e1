"""BoTorch: noisy log expected improvement under outcome constraints, settings of its closed-loop tutorial."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import torch
from botorch import fit_gpytorch_mll
from botorch.acquisition.logei import qLogNoisyExpectedImprovement
from botorch.acquisition.objective import GenericMCObjective
from botorch.models import ModelListGP, SingleTaskGP
from botorch.models.transforms import Normalize, Standardize
from botorch.optim import optimize_acqf
from botorch.sampling import SobolQMCNormalSampler
from gpytorch.mlls import SumMarginalLogLikelihood
from peer import Peer
from problems import Problem

torch.set_num_threads(1)
torch.set_default_dtype(torch.float64)
warnings.simplefilter("ignore")

MC_SAMPLES = 256
RESTARTS = 10
RAW_SAMPLES = 512
OPTIONS = {"batch_limit": 5, "maxiter": 200}


class BoTorch(Peer):
    """A model an output with its noise inferred, fitted anew for every ask from where the last fit ended."""

    label = "BoTorch qLogNEI"
    packages = ["botorch", "gpytorch", "torch"]

    def __init__(self, problem: Problem, seed: int) -> None:
        super().__init__(problem, seed)
        torch.manual_seed(seed)
        self._bounds = torch.tensor([problem.low, problem.high])
        self._last: dict[str, Any] | None = None

    def suggest(self) -> np.ndarray:
        """Fits, and maximises the acquisition."""
        x = torch.tensor(np.array(self.x))
        acquisition = qLogNoisyExpectedImprovement(
            model=self._fitted(x, torch.tensor(self.y)),
            X_baseline=x,
            sampler=SobolQMCNormalSampler(torch.Size([MC_SAMPLES])),
            objective=GenericMCObjective(lambda values, X=None: values[..., 0]),
            constraints=[lambda values, i=i: values[..., i] for i in range(1, len(self.y[0]))],
            prune_baseline=True,
        )
        found, _ = optimize_acqf(
            acquisition, self._bounds, q=1, num_restarts=RESTARTS, raw_samples=RAW_SAMPLES, options=OPTIONS
        )
        return found[0].numpy()

    def _fitted(self, x: torch.Tensor, y: torch.Tensor) -> ModelListGP:
        each = [
            SingleTaskGP(
                x,
                column[:, None],
                input_transform=Normalize(self.problem.dims, bounds=self._bounds),
                outcome_transform=Standardize(1),
            )
            for column in y.T
        ]
        model = ModelListGP(*each)
        if self._last is not None:
            # The transforms belong to the data of this ask; only the hyper-parameters are kept.
            model.load_state_dict({**model.state_dict(), **self._last})
        fit_gpytorch_mll(SumMarginalLogLikelihood(model.likelihood, model))
        self._last = {name: value.detach() for name, value in model.named_parameters()}
        return model


PEER = BoTorch
