#!/usr/bin/env python3
"""Writes tests/golden/flow*.txt: what an implementation of its own makes of a flow's parameters and data.

    tools/golden_flow.py tests/golden

The density of a normalising flow in plain Python: numbers that remember how they were made (reverse-mode
automatic differentiation, number by number), double precision, matrices multiplied out instead of triangles,
the determinant of the linear layer by elimination instead of by its diagonal. Needs nothing but Python 3. The
C code must follow it: losses, gradient, ten Adam updates. tools/golden.py explains the format of the files;
here it is

    shape         D h1 h2 steps b
    known         only where there are any: how many of the last rows are known outliers, their weight
    params0       for each step: log-scales, shifts, the square of L and U, the coupling's network
    order         (steps, D)
    x             (10, b, D)
    losses1       (b), of each row in step 1; of a known outlier what is pushed down
    grad1         of the batch's loss in step 1, without weight decay
    mean_losses   (10), the batch's loss of each step, before its update
    params1, params2, params5, params10   after so many updates
    losses_eval   (b), of the tenth batch after the tenth update
    z_eval        (b, D), what the rows become there
"""
import math
import os
import random
import struct
import sys

STEPS = 10
MARGIN = 5.0


class Num:
    """A number, and how it depends on others: pairs of a number and the derivative by it."""
    __slots__ = ("v", "parents", "grad")

    def __init__(self, v, parents=()):
        self.v, self.parents, self.grad = v, parents, 0.0

    def __add__(self, other):
        other = lift(other)
        return Num(self.v + other.v, ((self, 1.0), (other, 1.0)))

    def __mul__(self, other):
        other = lift(other)
        return Num(self.v * other.v, ((self, other.v), (other, self.v)))

    def __sub__(self, other):
        return self + lift(other) * -1.0

    def __truediv__(self, other):
        other = lift(other)
        return Num(self.v / other.v, ((self, 1.0 / other.v), (other, -self.v / other.v ** 2)))

    __radd__, __rmul__ = __add__, __mul__

    def exp(self):
        e = math.exp(self.v)
        return Num(e, ((self, e),))

    def log_abs(self):
        return Num(math.log(abs(self.v)), ((self, 1.0 / self.v),))

    def tanh(self):
        t = math.tanh(self.v)
        return Num(t, ((self, 1.0 - t * t),))

    def leaky(self):
        return self * (1.0 if self.v > 0 else 0.01)


def lift(x):
    return x if isinstance(x, Num) else Num(x)


def backward(top):
    """Adds d top / d n to n.grad for every number n that top was made from."""
    order, seen, stack = [], set(), [(top, False)]
    while stack:
        n, done = stack.pop()
        if done:
            order.append(n)
        elif id(n) not in seen:
            seen.add(id(n))
            stack.append((n, True))
            stack.extend((p, False) for p, _ in n.parents)
    top.grad = 1.0
    for n in reversed(order):
        for p, d in n.parents:
            p.grad += n.grad * d


def dot(a, b):
    total = Num(0.0)
    for x, y in zip(a, b):
        total = total + x * y
    return total


def log_abs_det(rows):
    """By elimination with the largest pivot."""
    rows, total = [list(r) for r in rows], Num(0.0)
    for c in range(len(rows)):
        best = max(range(c, len(rows)), key=lambda r: abs(rows[r][c].v))
        rows[c], rows[best] = rows[best], rows[c]
        total = total + rows[c][c].log_abs()
        for r in range(c + 1, len(rows)):
            f = rows[r][c] / rows[c][c]
            rows[r] = [a - f * b for a, b in zip(rows[r], rows[c])]
    return total


class Reader:
    """Takes parameters from a flat list, in order."""

    def __init__(self, values):
        self.values, self.at = values, 0

    def vector(self, n):
        self.at += n
        return self.values[self.at - n:self.at]

    def matrix(self, rows, cols):
        return [self.vector(cols) for _ in range(rows)]


class Step:
    def __init__(self, read, d, hidden, order):
        self.d, self.order, self.kept = d, order, d // 2
        self.scale, self.shift = read.vector(d), read.vector(d)
        lu = read.matrix(d, d)
        lower = [[lu[i][j] if j < i else Num(float(i == j)) for j in range(d)] for i in range(d)]
        upper = [[lu[i][j] if j > i else lu[i][i].exp() if i == j else Num(0.0) for j in range(d)]
                 for i in range(d)]
        self.w = [[dot(lower[i], [upper[k][j] for k in range(d)]) for j in range(d)] for i in range(d)]
        self.log_det = log_abs_det(self.w)
        for s in self.scale:
            self.log_det = self.log_det + s
        self.layers, width = [], self.kept
        for h in hidden:
            self.layers.append((read.matrix(h, width), read.vector(h)))
            width = h
        changed = d - self.kept
        self.head = (read.matrix(changed, width), read.matrix(changed, width), read.vector(changed))

    def __call__(self, x):
        """What x becomes, and the logarithm of the determinant."""
        y = [x[self.order[i]] * self.scale[i].exp() + self.shift[i] for i in range(self.d)]
        y = [dot(row, y) for row in self.w]
        h = y[:self.kept]
        for w, b in self.layers:
            h = [(dot(row, h) + c).leaky() for row, c in zip(w, b)]
        shift_w, scale_w, scale_b = self.head
        log_det, out = self.log_det, y[:self.kept]
        for i, v in enumerate(y[self.kept:]):
            s = ((dot(scale_w[i], h) + scale_b[i]) * 0.5).tanh() * 2.0
            out.append(v * s.exp() + dot(shift_w[i], h))
            log_det = log_det + s
        return out, log_det


def losses(params, case, x):
    """-log p of each row, and z."""
    read = Reader(params)
    flow = [Step(read, case["d"], case["hidden"], order) for order in case["order"]]
    assert read.at == len(params)
    result, zs = [], []
    for row in x:
        z, total = [Num(v) for v in row], Num(0.0)
        for step in flow:
            z, log_det = step(z)
            total = total - log_det
        for v in z:
            total = total + v * v * 0.5 + math.log(2 * math.pi) / 2
        result.append(total)
        zs.append([v.v for v in z])
    return result, zs


def pushed(own, limit):
    """log(p + exp(-limit)), of which the derivative by log p is p / (p + exp(-limit))."""
    share = 1.0 / (1.0 + math.exp(own.v - limit))
    return Num(-own.v + math.log1p(math.exp(own.v - limit)), ((own, -share),))


def batch_loss(each, case):
    others = len(each) - case["known"]
    limit = sorted(n.v for n in each[:others])[others // 2] + MARGIN * case["d"]
    each = each[:others] + [pushed(n, limit) for n in each[others:]]
    total = Num(0.0)
    for i, n in enumerate(each):
        total = total + n * (1 / others if i < others else case["weight"] / case["known"])
    return total, [n.v for n in each]


class Adam:
    def __init__(self, n):
        self.m, self.v, self.t = [0.0] * n, [0.0] * n, 0

    def step(self, w, g):
        self.t += 1
        for i in range(len(w)):
            grad = g[i] + 5e-7 * w[i]
            self.m[i] = 0.9 * self.m[i] + 0.1 * grad
            self.v[i] = 0.999 * self.v[i] + 0.001 * grad * grad
            up, down = self.m[i] / (1 - 0.9 ** self.t), math.sqrt(self.v[i] / (1 - 0.999 ** self.t)) + 1e-8
            w[i] -= 1e-3 * up / down


def f32(v, digits):
    """The float nearest to a number of so many digits, and its text."""
    return struct.unpack("f", struct.pack("f", round(v, digits)))[0]


def draw(case, rng):
    d, (h1, h2), b = case["d"], case["hidden"], case["b"]
    size = 2 * d + d * d + h1 * (d // 2) + h1 + h2 * h1 + h2 + 2 * (d - d // 2) * h2 + (d - d // 2)
    case["params0"] = [f32(rng.uniform(-0.6, 0.6), 5) for _ in range(case["steps"] * size)]
    case["order"] = [rng.sample(range(d), d) for _ in range(case["steps"])]
    case["x"] = [[[f32(min(max(rng.gauss(0.5, 0.3), 0.0), 1.0), 4) for _ in range(d)] for _ in range(b)]
                 for _ in range(STEPS)]


def run(case):
    w, adam, out = list(case["params0"]), Adam(len(case["params0"])), {"mean_losses": []}
    for step in range(1, STEPS + 1):
        params = [Num(v) for v in w]
        total, each = batch_loss(losses(params, case, case["x"][step - 1])[0], case)
        backward(total)
        grad = [p.grad for p in params]
        out["mean_losses"].append(total.v)
        if step == 1:
            out["losses1"], out["grad1"] = each, grad
        adam.step(w, grad)
        if step in (1, 2, 5, 10):
            out[f"params{step}"] = list(w)
    each, z = losses([Num(v) for v in w], case, case["x"][-1])
    out["losses_eval"], out["z_eval"] = [n.v for n in each], [v for row in z for v in row]
    return out


def write_tensor(f, name, values, fmt):
    f.write(f"{name} {len(values)}\n")
    for i in range(0, len(values), 8):
        f.write(" ".join(fmt(v) for v in values[i:i + 8]) + "\n")


def make_case(folder, name, seed, **case):
    draw(case, random.Random(seed))
    out = run(case)
    path = os.path.join(folder, name + ".txt")
    short, full = (lambda v: f"{v:.7g}"), (lambda v: f"{v:.12g}")
    with open(path, "w") as f:
        f.write("# Written by tools/golden_flow.py, which explains the format.\n")
        write_tensor(f, "shape", [case["d"], *case["hidden"], case["steps"], case["b"]], str)
        if case["known"]:
            write_tensor(f, "known", [case["known"], case["weight"]], str)
        write_tensor(f, "params0", case["params0"], short)
        write_tensor(f, "order", [i for order in case["order"] for i in order], str)
        write_tensor(f, "x", [v for batch in case["x"] for row in batch for v in row], short)
        for key in ("losses1", "grad1", "mean_losses", "params1", "params2", "params5", "params10",
                    "losses_eval", "z_eval"):
            write_tensor(f, key, out[key], full)
    print(f"{path}: {os.path.getsize(path)} bytes")


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: tools/golden_flow.py FOLDER")
    make_case(sys.argv[1], "flow_plain", 1, d=5, hidden=(6, 4), steps=2, b=7, known=0, weight=1.0)
    make_case(sys.argv[1], "flow_odd", 2, d=3, hidden=(3, 5), steps=3, b=9, known=0, weight=1.0)
    make_case(sys.argv[1], "flow_known", 3, d=4, hidden=(5, 4), steps=2, b=10, known=3, weight=0.5)


if __name__ == "__main__":
    main()
