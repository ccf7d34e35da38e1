"""Every violation on the books."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ._internal.html import table
from .errors import UnknownNameError


@dataclass(frozen=True)
class Account:
    """The account of one constraint, in its own units. History is not in it."""

    constraint: str
    """The constraint, as written."""
    metric: str
    """The metric it limits."""
    total: float
    """The sum of all excesses over the limit, and what failed trials count for."""
    violations: int
    """Observations beyond the limit."""
    observed: int
    """Observations in all."""
    worst: float
    """The largest excess that was observed."""
    failed: int = 0
    """Trials that failed before this was observed."""
    by_failures: float = 0.0
    """What they count for in the total: as ``failure={"counts_as": {"p99_ms": 500}}`` in the definition says, else as the
    worst excess observed."""
    budget: float | None = None
    """What the total may reach."""
    left: float | None = None
    """What is left of the budget; negative when it is overspent."""
    burn_rate: float | None = None
    """Recent violation against what the budget allows: above 1 it will not last."""
    model_total: float | None = None
    """The total as the model sees it, without the noise of the measurements; ``None`` while there is no model."""
    model_violations: int | None = None
    """Settings that the model holds to be beyond the limit."""

    @property
    def rate(self) -> float:
        """Share of the observations beyond the limit."""
        return self.violations / self.observed if self.observed else 0.0


class Ledger(Mapping[str, Account]):
    """The accounts by constraint, as written; ``ledger["p99_ms"]`` finds the one that limits that metric."""

    def __init__(self, accounts: list[Account]) -> None:
        self._accounts = {account.constraint: account for account in accounts}

    def __getitem__(self, name: str) -> Account:
        if name in self._accounts:
            return self._accounts[name]
        found = [account for account in self._accounts.values() if account.metric == name]
        if len(found) == 1:
            return found[0]
        known = ", ".join(repr(constraint) for constraint in self._accounts) or "none: there are no constraints"
        problem = "stands in several constraints" if found else "is in no constraint"
        raise UnknownNameError(f"{name!r} {problem}: use one of {known}")

    def __contains__(self, name: object) -> bool:
        return name in self._accounts or [a.metric for a in self._accounts.values()].count(str(name)) == 1

    def __iter__(self) -> Iterator[str]:
        return iter(self._accounts)

    def __len__(self) -> int:
        return len(self._accounts)

    @property
    def total(self) -> float:
        """The sum of all totals: of use where all limits have one unit."""
        return sum(account.total for account in self._accounts.values())

    def _repr_html_(self) -> str:
        names = ("constraint", "violations", "observed", "failed", "total", "worst", "left")
        header = ("limit", "over in", "observed", "failed", "sum over", "worst", "budget left")
        return table(([getattr(a, name) for name in names] for a in self._accounts.values()), header)

    def __repr__(self) -> str:
        return f"Ledger({'; '.join(map(_shown, self._accounts.values()))})"


def _shown(account: Account) -> str:
    failed = f", {account.failed} failed" if account.failed else ""
    return f"{account.constraint}: {account.total:g} over in {account.violations} of {account.observed}{failed}"


def account_of(row: Mapping[str, Any]) -> Account:
    """The account of a JSON object."""
    model = row.get("model") or {}
    own = {name: value for name, value in row.items() if name in Account.__dataclass_fields__}
    return Account(
        **own,
        model_total=model.get("total"),
        model_violations=model.get("violations"),
    )
