import jax, jax.numpy as jnp, functools, sys
from jax.sharding import NamedSharding, PartitionSpec as P
jax.config.update("jax_num_cpu_devices", 8)
mesh = jax.make_mesh((2, 4), ("dp", "tp"))
L, D, H, F, V, T, B = 24, 2048, 16, 8192, 50304, 1024, 32
s = lambda *sh, t=jnp.float32: jax.ShapeDtypeStruct(sh, t)
params = dict(embed=s(V, D), layers=dict(ln1=s(L, D), ln2=s(L, D), wqkv=s(L, D, 3, D), wo=s(L, D, D), w1=s(L, D, F), w2=s(L, F, D)), lnf=s(D))
specs = dict(embed=P("tp", None), layers=dict(ln1=P(), ln2=P(), wqkv=P(None, None, None, "tp"), wo=P(None, "tp"), w1=P(None, None, "tp"), w2=P(None, "tp")), lnf=P())
scope = jax.named_scope
def norm(x, g):
    with scope("norm"):
        y = x.astype(jnp.float32)
        return (y * jax.lax.rsqrt(jnp.mean(y * y, -1, keepdims=True) + 1e-6) * g).astype(jnp.bfloat16)
def block(x, p):
    b = jnp.bfloat16
    with scope("attention"):
        h = norm(x, p["ln1"])
        qkv = jnp.einsum("btd,dce->cbte", h, p["wqkv"].astype(b)).reshape(3, B, T, H, D // H)
        q, k, v = qkv
        w = jnp.einsum("bthd,bshd->bhts", q, k).astype(jnp.float32) / 11.3
        w = jnp.where(jnp.tril(jnp.ones((T, T), bool)), w, -1e9)
        a = jnp.einsum("bhts,bshd->bthd", jax.nn.softmax(w, -1).astype(b), v).reshape(B, T, D)
        x = x + a @ p["wo"].astype(b)
    with scope("mlp"):
        return x + jax.nn.gelu(norm(x, p["ln2"]) @ p["w1"].astype(b)) @ p["w2"].astype(b)
def loss_fn(params, tokens):
    with scope("embed"):
        x = params["embed"].astype(jnp.bfloat16)[tokens[:, :-1]]
    x, _ = jax.lax.scan(lambda x, p: (jax.checkpoint(block)(x, p), None), x, params["layers"])
    with scope("head"):
        logits = (norm(x, params["lnf"]) @ params["embed"].T.astype(jnp.bfloat16)).astype(jnp.float32)
    with scope("loss"):
        lp = jax.nn.log_softmax(logits)
        return -jnp.mean(jnp.take_along_axis(lp, tokens[:, 1:, None], -1))
def train_step(params, opt_state, tokens):
    loss, g = jax.value_and_grad(loss_fn)(params, tokens)
    with scope("adam"):
        t = opt_state["count"] + 1
        m = jax.tree.map(lambda m, g: .9 * m + .1 * g, opt_state["mu"], g)
        v = jax.tree.map(lambda v, g: .99 * v + .01 * g * g, opt_state["nu"], g)
        params = jax.tree.map(lambda p, m, v: p - 1e-3 * m / (jnp.sqrt(v) + 1e-8), params, m, v)
    return params, dict(mu=m, nu=v, count=t), loss
sh = jax.tree.map(lambda x: NamedSharding(mesh, x), specs, is_leaf=lambda x: isinstance(x, P))
opt = dict(mu=params, nu=params, count=s(t=jnp.int32)); osh = dict(mu=sh, nu=sh, count=NamedSharding(mesh, P()))
f = jax.jit(train_step, in_shardings=(sh, osh, NamedSharding(mesh, P("dp"))), out_shardings=(sh, osh, NamedSharding(mesh, P())), donate_argnums=(0, 1))
open("gpt.mlir", "w").write(f.lower(params, opt, s(B, T + 1, t=jnp.int32)).as_text(debug_info=True))
