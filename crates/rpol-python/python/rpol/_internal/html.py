"""Small tables for notebooks. All text is escaped."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence


def table(rows: Iterable[Sequence[object]], header: Sequence[str] = ()) -> str:
    """A table; without a header the first cell of each row names it.

    >>> table([("a<b", 0.123456)])
    '<table><tr><th>a&lt;b</th><td>0.1235</td></tr></table>'
    """
    top = "".join(f"<th>{_shown(name)}</th>" for name in header)
    body = "".join(f"<tr>{''.join(_cells(row, not header))}</tr>" for row in rows)
    return f"<table>{f'<tr>{top}</tr>' if top else ''}{body}</table>"


def _cells(row: Sequence[object], named: bool) -> Iterable[str]:
    for i, value in enumerate(row):
        kind = "th" if named and i == 0 else "td"
        yield f"<{kind}>{_shown(value)}</{kind}>"


def _shown(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    # What is not printable could turn the direction of the text around it.
    printable = "".join(c if c.isprintable() else "\ufffd" for c in str("" if value is None else value))
    return html.escape(printable)
