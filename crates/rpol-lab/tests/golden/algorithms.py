"""The paper's experiments once more: every algorithm written straight from its formulas, in plain NumPy.

Each decision builds K + lambda I of the data it sees, repeated points and all, calls numpy.linalg.solve and scores the
whole grid. Nothing is kept from one decision to the next but the points played and what was seen of them. Given are the
constants, the noise and the delays. The code is its own, but the readings below were chosen knowing the library's: agreement
says that the formulas under these readings are computed rightly, not that each reading is the only one.

Letters: t round (from 1), s an earlier round, mu and sigma posterior mean and deviation, f_hat upper bound of f, g_check
lower bound of g, w width, Q or phi penalty, lam the regulariser lambda, gain = 1/2 ln det(I + K / lam), y[0] rewards,
y[1] costs, seen[q] what decision t sees of output q.

Readings, where formulas leave freedom:
  * round s with delay d is revealed at the end of round s + d, so decision t knows it iff s + d <= t - 1;
  * RPOL, CKB and CONFIG without a delay rule of their own see what has arrived (f and g separately);
  * hallucination: sigma and gain from all points played, the mean from what has arrived;
  * the Censored width has B_r = B + R sqrt(4 ln T); a constant width has no B and R, so its sum of sigmas has B_r = 0;
  * event trigger: before decision t the values of round t-1 are tested against the model of decision t-1; a change keeps
    the value that told of it; R is sqrt(lam); `after` values have passed the test since the change before it can fire;
  * of several best points the first, x1 turning fastest; scores within NEAR of the best count as equally good.

The small size has unequal lengthscales and begins with given points: otherwise symmetric points would tie up to rounding,
and their order would be a matter of the processor.
"""

import math

import numpy as np

NEAR = 1e-12  # relative


def pos(a):
    return np.maximum(a, 0.0)


def functions(phase, x1, x2):
    """f, g and f* of a phase of the experiments; f* in closed form, against the continuous optimum."""
    if phase == 1:  # at (3 pi / 2, arcsin 0.95)
        return -np.sin(x1) - x2, np.sin(x1) * np.sin(x2) + 0.95, 1.0 - math.asin(0.95)
    if phase == 2:  # at (pi - arcsin(0.5 / |sin 5|), 0)
        best = -math.sin(math.pi - math.asin(0.5 / abs(math.sin(5.0))) - 5.0)
        return -np.sin(x1 - 5.0) - x2, np.sin(x1) * np.sin(x2 + 5.0) + 0.5, best
    best = -math.sin(4.0) - math.asin(0.95 / abs(math.sin(5.0)))  # at (0, arcsin(0.95 / |sin 5|))
    return -np.sin(x1 + 4.0) - x2, np.sin(x1 + 5.0) * np.sin(x2) + 0.95, best


class Problem:
    """The grid, the functions on it, and the kernel between any two of its points."""

    def __init__(self, constants, size):
        side = size["side"]
        place = np.arange(side * side)
        unit = np.stack([place % side, place // side], axis=1) / (side - 1)
        low, high = constants["domain"]
        x1, x2 = (low + (high - low) * unit).T
        self.phases = [functions(phase, x1, x2) for phase in (1, 2, 3)]
        near = unit / size["lengthscales"]
        distance2 = (near[:, None, 0] - near[None, :, 0]) ** 2 + (near[:, None, 1] - near[None, :, 1]) ** 2
        self.kernel = np.exp(-distance2 / 2.0)

    def deviation_and_gain(self, points, lam):
        """sigma(x) on the grid and 1/2 ln det(I + K/lam), from the points alone."""
        if not points:
            return np.ones(len(self.kernel)), 0.0
        k, cross = self.kernel[np.ix_(points, points)], self.kernel[points]
        eye = np.eye(len(points))
        variance = 1.0 - np.einsum("ij,ij->j", cross, np.linalg.solve(k + lam * eye, cross))
        return np.sqrt(pos(variance)), 0.5 * np.linalg.slogdet(eye + k / lam)[1]

    def mean(self, points, values, lam):
        """mu(x) on the grid."""
        if not points:
            return np.zeros(len(self.kernel))
        k = self.kernel[np.ix_(points, points)]
        return np.linalg.solve(k + lam * np.eye(len(points)), values) @ self.kernel[points]


class Run:
    """One algorithm in one experiment."""

    def __init__(self, problem, constants, size, draws, experiment, setting, algorithm):
        self.problem, self.constants, self.size, self.draws = problem, constants, size, draws
        self.experiment, self.algorithm = experiment, algorithm
        self.horizon, self.given = size["horizon"], constants["settings"][setting]
        self.lam = self.given["lambda"] or 1.0 + 2.0 / self.horizon
        self.strategy = next((s for s in STRATEGIES if s in algorithm), "ucb")
        self.policy = algorithm.split("-")[0]
        self.played, self.y = [], ([], [])
        self.since, self.passed = 1, [0, 0]  # of the event trigger

    # ---- which data decision t sees

    def arrived(self, q, t):
        return [s for s in range(1, t) if s + self.draws["delay"][q][s - 1] <= t - 1]

    def data(self, q, t):
        """Rounds and values that make the mean, and rounds that make the deviation."""
        value = lambda s: self.y[q][s - 1]
        if self.strategy == "censored":  # d_s <= min(m, t-1-s), otherwise 0
            m, delay = self.size["within"], self.draws["delay"][q]
            rounds = list(range(1, t))
            return rounds, [value(s) if delay[s - 1] <= min(m, t - 1 - s) else 0.0 for s in rounds], rounds
        first = {
            "sw": max(1, t - self.size["window"]),
            "restart": (t - 1) // self.size["period"] * self.size["period"] + 1,
            "event-triggered": self.since,
        }.get(self.strategy, 1)
        rounds = [s for s in self.arrived(q, t) if s >= first]
        wide = list(range(1, t)) if self.strategy == "hallucinated" else rounds
        return rounds, [value(s) for s in rounds], wide

    # ---- the band

    def width(self, gain, sigma, t):
        if self.given["beta"] is not None:
            return self.given["beta"]
        b, r, p = self.given["bound"], self.given["noise_level"], self.given["p"]
        if self.strategy == "sw":
            return b + r / math.sqrt(self.lam) * math.sqrt(2.0 * gain + 2.0 * math.log(2.0 * self.horizon / p))
        if self.strategy == "censored":  # v_t
            b_r = b + r * math.sqrt(4.0 * math.log(self.horizon))
            beta = b + (r + b_r) * math.sqrt(2.0 * (gain + 1.0 + math.log(4.0 / p)))
            recent = range(max(1, t - self.size["within"]), t)
            return beta + b_r * sum(sigma[self.played[s - 1]] for s in recent)
        return b + r * math.sqrt(2.0 * (gain + 1.0 + math.log(2.0 / p)))

    def believe(self, t):
        """mu, sigma and w of the reward, then of the cost, for decision t."""
        beliefs, solved = [], {}
        for q in (0, 1):
            rounds, values, wide = self.data(q, t)
            if tuple(wide) not in solved:
                points = [self.played[s - 1] for s in wide]
                solved[tuple(wide)] = self.problem.deviation_and_gain(points, self.lam)
            sigma, gain = solved[tuple(wide)]
            mu = self.problem.mean([self.played[s - 1] for s in rounds], values, self.lam)
            beliefs.append((mu, sigma, self.width(gain, sigma, t)))
        return beliefs

    # ---- the decision and the penalty

    def scores(self, f_hat, g_check, penalty):
        if self.policy == "ckb":
            b, g = self.constants["ckb"]["bound_objective"], self.constants["ckb"]["bound_constraint"]
            return np.clip(f_hat, -b, b) - penalty * np.clip(g_check, -g, g)
        if self.policy == "config":
            feasible = g_check <= 0.0
            return np.where(feasible, f_hat, -np.inf) if feasible.any() else -g_check
        return f_hat - penalty * pos(g_check)

    def first_penalty(self):
        return {"rpol": 1.0, "ckb": 0.0, "epbo": self.constants["epbo"]["penalty"]}.get(self.policy)

    def next_penalty(self, t, penalty, g_check):
        """At the end of round t; g_check at the point played, as estimated before it was observed."""
        if self.policy == "rpol":  # every cost revealed in round t counts, however late
            delay = self.draws["delay"][1]
            costs = sum(max(self.y[1][s - 1], 0.0) for s in range(1, t + 1) if s + delay[s - 1] == t)
            return max(penalty + costs, math.sqrt(t))
        if self.policy == "ckb":
            g, cap = self.constants["ckb"]["bound_constraint"], self.constants["ckb"]["cap"]
            return min(max(penalty + min(max(g_check, -g), g) / math.sqrt(self.horizon), 0.0), cap)
        return penalty

    def watch(self, t, beliefs):
        """Before decision t: do the values of round t-1 leave what decision t-1 believed?"""
        test, point = self.constants["event_triggered"], self.played[t - 2]
        noise = self.given.get("noise_level") or math.sqrt(self.lam)
        quantile = noise * math.sqrt(2.0 * math.log(math.pi**2 * t**2 / (3.0 * test["delta"])))
        for q, (mu, sigma, _) in enumerate(beliefs):
            outside = abs(self.y[q][t - 2] - mu[point]) > test["beta"] * sigma[point] + quantile
            if outside and self.passed[q] >= test["after"]:
                self.since, self.passed = t - 1, [0, 0]
                return True
        self.passed = [count + 1 for count in self.passed]
        return False

    # ---- the rounds

    def phase(self, t):
        return sum(t >= first for first in self.size["phases"]) if self.experiment == "drifting" else 1

    def play(self, given=(), towards=None):
        """Plays all rounds, the first of them at the points given. Among equally good points that of the sequence `towards`
        is taken, where there is one, and the round counted in `turned`."""
        sums, rows, changes, tied, turned = np.zeros(3), [], [], 0, 0
        penalty, beliefs = self.first_penalty(), None
        for t in range(1, self.horizon + 1):
            if self.policy != "random":
                if self.strategy == "event-triggered" and t > 1 and self.watch(t, beliefs):
                    changes.append(t)
                beliefs = self.believe(t)
                (mu_f, sigma_f, w_f), (mu_g, sigma_g, w_g) = beliefs
                f_hat, g_check = mu_f + w_f * sigma_f, mu_g - w_g * sigma_g
            if t <= len(given):
                x = given[t - 1]
            else:
                score = self.scores(f_hat, g_check, penalty)
                equals = np.flatnonzero(score >= score.max() - NEAR * max(1.0, abs(score.max())))
                x = int(equals[0])
                tied += 1 < len(equals) < len(score)  # with no data all are equal, to the bit
                if towards is not None and towards[t - 1] != x and towards[t - 1] in equals:
                    x, turned = towards[t - 1], turned + 1
            f, g, best = self.problem.phases[self.phase(t) - 1]
            sums += [best - f[x], pos(best - f[x]), pos(g[x])]
            rows.append((x, *map(float, sums / t), penalty))
            self.played.append(x)
            self.y[0].append(float(f[x]) + self.draws["noise"][0][t - 1])
            self.y[1].append(float(g[x]) + self.draws["noise"][1][t - 1])
            if penalty is not None:
                penalty = float(self.next_penalty(t, penalty, g_check[x]))
        names = ("x", "regret", "positive_regret", "violation", "penalty")
        curve = {name: [v for v in column if v is not None] for name, column in zip(names, zip(*rows))}
        return curve, {"tied": tied, "turned": turned, "changes": changes}


STRATEGIES = ("censored", "hallucinated", "sw", "restart", "event-triggered")
