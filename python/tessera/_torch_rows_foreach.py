"""Rows of ops on lists of tensors (_foreach_add.List, ...), which optimizers call: the op's row for each of them."""

from ._torch_emit import Unsupported, V
from ._torch_table import ROWS, find, row

_ELEMENTWISE = ("add", "sub", "mul", "div", "neg", "abs", "sqrt", "reciprocal", "exp", "log", "sign", "addcmul", "addcdiv", "lerp", "maximum", "minimum", "clamp_min",
                "clamp_max", "pow", "rsqrt", "tanh", "sigmoid", "floor", "ceil", "round", "trunc", "erf", "cos", "sin", "log1p", "expm1", "log2", "log10")


def _each(name):
    def made(e, outs, first, *rest, **kwargs):
        outs = outs if isinstance(outs, list) else [outs]
        found = find(f"aten.{name}.Tensor")
        lists = [x if isinstance(x, (list, tuple)) and len(x) == len(first) else [x] * len(first) for x in rest]
        results = []
        for i, o in enumerate(outs):
            args = [_one(e, x[i]) for x in lists]
            named = {k: v[i] if isinstance(v, (list, tuple)) else v for k, v in kwargs.items()}
            if name in ("addcmul", "addcdiv") and len(args) == 3:
                named["value"] = args.pop()
            if name in ("add", "sub") and len(args) == 2:
                named["alpha"] = args.pop()
            results.append(found(e, o, first[i], *args, **named))
        return results

    return made


def _one(e, x):
    if isinstance(x, (list, tuple)):
        raise Unsupported("a list of another length")
    return x


for _name in _ELEMENTWISE:
    row(f"_foreach_{_name}")(_each(_name))
ROWS["aten._foreach_lerp.Scalar"] = _each("lerp")


@row("_foreach_zero")
def foreach_zero(e, outs, first):
    outs = outs if isinstance(outs, list) else [outs]
    return [e.const(0, o.s, o.d) for o in outs]


@row("_foreach_copy")
def foreach_copy(e, outs, first, other, *_):
    outs = outs if isinstance(outs, list) else [outs]
    return [e.fit(x, o.s, o.d) for x, o in zip(other, outs)]


@row("_foreach_norm")
def foreach_norm(e, outs, first, ord=2, dtype=None):
    outs = outs if isinstance(outs, list) else [outs]
    norm = find("aten.linalg_vector_norm.default")
    return [norm(e, o, x, ord) for x, o in zip(first, outs)]


def _adam(weight_in_gradient):
    """Adam's step, by torch's formulas; weights decay in the gradient (Adam), or apart (AdamW)."""

    def made(e, outs, params, grads, firsts, seconds, maxima, steps, *args, lr=None, beta1=None, beta2=None, weight_decay=None, eps=None, amsgrad=False,
             maximize=False, grad_scale=None, found_inf=None, **_):
        if grad_scale is not None or found_inf is not None:
            raise Unsupported("a scaler")
        found = [[], [], [], [], []]
        for i, (p, g, m, v, t) in enumerate(zip(params, grads, firsts, seconds, steps)):
            d = p.d
            k = lambda x: e.fit(x, p.s, d)  # noqa: E731, B023
            mul, plus, minus = (lambda a, b: e.bi("multiply", a, b)), (lambda a, b: e.bi("add", a, b)), (lambda a, b: e.bi("subtract", a, b))
            g0 = g
            if maximize:
                g = e.un("negate", g)
            if weight_decay:
                if weight_in_gradient:
                    g = plus(g, mul(k(weight_decay), p))
                else:
                    p = minus(p, mul(mul(k(lr), k(weight_decay)), p))
            m = plus(mul(k(beta1), m), mul(k(1 - beta1), g))
            v = plus(mul(k(beta2), v), mul(k(1 - beta2), mul(g, g)))
            s = e.cast(t, "f32")
            c1 = minus_one(e, beta1, s)
            c2 = minus_one(e, beta2, s)
            root = e.un("sqrt", c2)
            w = v
            if amsgrad:
                w = e.bi("maximum", maxima[i], v)
                found[4].append(w)
            low = plus(e.bi("divide", e.un("sqrt", w), k(root)), k(eps))
            p = minus(p, mul(e.bi("divide", k(lr), k(c1)), e.bi("divide", m, low)))
            for kept, x in zip(found, (p, g0, m, v)):
                kept.append(x)
        return [x for kept in found for x in kept]

    return made


def minus_one(e, beta, step):
    """1 - beta^step."""
    b = e.fit(beta, step.s, step.d) if isinstance(beta, V) else e.const(beta, step.s, step.d)
    return e.bi("subtract", e.const(1, step.s, step.d), e.bi("power", b, step))


row("_fused_adam")(_adam(True))
row("_fused_adamw")(_adam(False))
