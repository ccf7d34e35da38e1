"""Optuna's own tests of samplers; what is not inherited is listed in docs/python-integrations.md."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from optuna.samplers import BaseSampler
from optuna.testing.pytest_samplers import (
    BasicSamplerTestCase,
    RelativeSamplerTestCase,
    SingleOnlySamplerTestCase,
)

from rpol.integrations.optuna import RpolSampler

pytestmark = pytest.mark.filterwarnings("ignore:.*not every trial has had this parameter")


class TestRpolSampler(BasicSamplerTestCase, RelativeSamplerTestCase, SingleOnlySamplerTestCase):
    """One objective, relative sampling."""

    @pytest.fixture
    def sampler(self) -> Callable[[], BaseSampler]:
        return lambda: RpolSampler(seed=0)


class TestConstrained(BasicSamplerTestCase, RelativeSamplerTestCase, SingleOnlySamplerTestCase):
    """The same with constraints, one of which the first trials break."""

    @pytest.fixture
    def sampler(self) -> Callable[[], BaseSampler]:
        return lambda: RpolSampler(seed=0, constraints_func=lambda trial: (3.0 - trial.number, -1.0))
