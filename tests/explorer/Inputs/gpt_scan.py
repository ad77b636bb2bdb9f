"""gpt_scan.py - writes gpt_scan.mlir: a training step of a GPT with 1.3 billion parameters, its layers in a scan, on a mesh of 2x4 devices. Needs JAX."""
import jax
import jax.numpy as jnp
from jax import named_scope as scope
from jax.sharding import NamedSharding, PartitionSpec as P

jax.config.update("jax_num_cpu_devices", 8)
MESH = jax.make_mesh((2, 4), ("dp", "tp"))
LAYERS, WIDTH, HEADS, INNER, VOCAB, LENGTH, BATCH = 24, 2048, 16, 8192, 50304, 1024, 32
NARROW = jnp.bfloat16


def shape(*sizes, dtype=jnp.float32):
    return jax.ShapeDtypeStruct(sizes, dtype)


def norm(x, scale):
    with scope("norm"):
        y = x.astype(jnp.float32)
        return (y * jax.lax.rsqrt(jnp.mean(y * y, -1, keepdims=True) + 1e-6) * scale).astype(NARROW)


def block(x, p):
    with scope("attention"):
        h = norm(x, p["ln1"])
        q, k, v = jnp.einsum("btd,dce->cbte", h, p["wqkv"].astype(NARROW)).reshape(3, BATCH, LENGTH, HEADS, WIDTH // HEADS)
        scores = jnp.einsum("bthd,bshd->bhts", q, k).astype(jnp.float32) / 11.3
        scores = jnp.where(jnp.tril(jnp.ones((LENGTH, LENGTH), bool)), scores, -1e9)
        a = jnp.einsum("bhts,bshd->bthd", jax.nn.softmax(scores, -1).astype(NARROW), v).reshape(BATCH, LENGTH, WIDTH)
        x = x + a @ p["wo"].astype(NARROW)
    with scope("mlp"):
        return x + jax.nn.gelu(norm(x, p["ln2"]) @ p["w1"].astype(NARROW)) @ p["w2"].astype(NARROW)


def loss_fn(params, tokens):
    with scope("embed"):
        x = params["embed"].astype(NARROW)[tokens[:, :-1]]
    x, _ = jax.lax.scan(lambda x, p: (jax.checkpoint(block)(x, p), None), x, params["layers"])
    with scope("head"):
        logits = (norm(x, params["lnf"]) @ params["embed"].T.astype(NARROW)).astype(jnp.float32)
    with scope("loss"):
        logs = jax.nn.log_softmax(logits)
        return -jnp.mean(jnp.take_along_axis(logs, tokens[:, 1:, None], -1))


def train_step(params, opt_state, tokens):
    loss, g = jax.value_and_grad(loss_fn)(params, tokens)
    with scope("adam"):
        t = opt_state["count"] + 1
        m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, opt_state["mu"], g)
        v = jax.tree.map(lambda v, g: 0.99 * v + 0.01 * g * g, opt_state["nu"], g)
        params = jax.tree.map(lambda p, m, v: p - 1e-3 * m / (jnp.sqrt(v) + 1e-8), params, m, v)
    return params, dict(mu=m, nu=v, count=t), loss


layers = dict(ln1=shape(LAYERS, WIDTH), ln2=shape(LAYERS, WIDTH), wqkv=shape(LAYERS, WIDTH, 3, WIDTH), wo=shape(LAYERS, WIDTH, WIDTH),
              w1=shape(LAYERS, WIDTH, INNER), w2=shape(LAYERS, INNER, WIDTH))
specs = dict(ln1=P(), ln2=P(), wqkv=P(None, None, None, "tp"), wo=P(None, "tp"), w1=P(None, None, "tp"), w2=P(None, "tp"))
params = dict(embed=shape(VOCAB, WIDTH), layers=layers, lnf=shape(WIDTH))
placed = jax.tree.map(lambda s: NamedSharding(MESH, s), dict(embed=P("tp", None), layers=specs, lnf=P()), is_leaf=lambda s: isinstance(s, P))
whole = NamedSharding(MESH, P())
state = dict(mu=params, nu=params, count=shape(dtype=jnp.int32))
state_placed = dict(mu=placed, nu=placed, count=whole)
step = jax.jit(train_step, in_shardings=(placed, state_placed, NamedSharding(MESH, P("dp"))), out_shardings=(placed, state_placed, whole),
               donate_argnums=(0, 1))
with open("gpt_scan.mlir", "w") as out:
    out.write(step.lower(params, state, shape(BATCH, LENGTH + 1, dtype=jnp.int32)).as_text(debug_info=True))
