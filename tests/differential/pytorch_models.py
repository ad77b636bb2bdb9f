# SPDX-License-Identifier: Apache-2.0
"""Models of PyTorch that pytorch.py exports: each is a function that gives a module in evaluation mode and its inputs.

KEPT names those whose exports are in tests/corpus, by exporter; they have few weights.
"""
import torch
import torch.nn.functional as F
from torch import nn

MODELS = {}
KEPT = {"torch_xla": ["mlp", "cnn_batch_norm", "encoder_layer", "special", "held"], "torchax": ["lstm", "top_k"],
        "torch_mlir": ["mlp", "cnn_batch_norm", "encoder_layer"]}


def model(f):
    MODELS[f.__name__] = f
    return f


class Of(nn.Module):
    """A function of parts, as a module: forward(x, ...) is f(self, x, ...)."""

    def __init__(self, f, **parts):
        super().__init__()
        self.f = f
        for name, part in parts.items():
            if isinstance(part, nn.Module):
                setattr(self, name, part)
            else:
                self.register_buffer(name, part)

    def forward(self, *x):
        return self.f(self, *x)


def settle(m):
    """Batch norms get statistics and scales that are not the first ones, so that mistakes in them show."""
    for part in m.modules():
        if isinstance(part, (nn.BatchNorm1d, nn.BatchNorm2d)):
            part.running_mean.uniform_(-0.5, 0.5)
            part.running_var.uniform_(0.5, 1.5)
            with torch.no_grad():
                part.weight.uniform_(0.5, 1.5)
                part.bias.uniform_(-0.5, 0.5)
    return m.eval()


@model
def mlp():
    return nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 16), nn.GELU(), nn.Linear(16, 4)), [torch.randn(3, 8)]


@model
def cnn_batch_norm():
    return nn.Sequential(nn.Conv2d(3, 4, 3, padding=1), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2),
                         nn.Conv2d(4, 6, 3, stride=2, groups=2), nn.BatchNorm2d(6), nn.Hardswish(), nn.AdaptiveAvgPool2d(1),
                         nn.Flatten(), nn.Linear(6, 5), nn.LogSoftmax(-1)), [torch.randn(2, 3, 12, 12)]


@model
def encoder_layer():
    return nn.TransformerEncoderLayer(16, 2, 32, batch_first=True, activation="gelu", dropout=0.0), [torch.randn(2, 5, 16)]


@model
def decoder_layer():
    return nn.TransformerDecoderLayer(16, 4, 32, batch_first=True, dropout=0.0), [torch.randn(2, 5, 16), torch.randn(2, 7, 16)]


@model
def lstm():
    return Of(lambda s, x: s.rnn(x)[0], rnn=nn.LSTM(4, 6, batch_first=True)), [torch.randn(2, 5, 4)]


@model
def gru():
    return Of(lambda s, x: s.rnn(x)[0], rnn=nn.GRU(4, 6, num_layers=2, batch_first=True)), [torch.randn(2, 5, 4)]


@model
def attention():
    def f(s, q, k, v):
        return F.scaled_dot_product_attention(q, k, v, is_causal=True)
    return Of(f), [torch.randn(2, 4, 6, 8) for _ in range(3)]


@model
def multihead():
    def f(s, x, mask):
        return s.attention(x, x, x, key_padding_mask=mask, need_weights=True)
    mask = torch.tensor([[False] * 6, [False] * 4 + [True] * 2])
    return Of(f, attention=nn.MultiheadAttention(16, 4, batch_first=True)), [torch.randn(2, 6, 16), mask]


@model
def embedding():
    def f(s, words):
        places = torch.arange(words.shape[1], device=words.device)
        return s.out(s.words(words) + s.places(places)).mean(1)
    return Of(f, words=nn.Embedding(20, 12), places=nn.Embedding(8, 12), out=nn.Linear(12, 3)), [torch.randint(0, 20, (2, 7))]


@model
def norms():
    def f(s, x):
        return s.group(x) + s.instance(x), s.layer(x), s.rms(x), F.normalize(x, dim=1)
    return Of(f, group=nn.GroupNorm(2, 6), instance=nn.InstanceNorm2d(6, affine=True), layer=nn.LayerNorm([5, 4]),
              rms=nn.RMSNorm(4)), [torch.randn(2, 6, 5, 4)]


@model
def transposed_convolution():
    return nn.Sequential(nn.ConvTranspose2d(4, 6, 3, stride=2, padding=1), nn.LeakyReLU(0.1), nn.ConvTranspose2d(6, 2, 2, dilation=2),
                         nn.Tanh()), [torch.randn(2, 4, 5, 5)]


@model
def transposed_groups():
    return nn.Sequential(nn.ConvTranspose2d(4, 6, 3, stride=2, padding=1, output_padding=1), nn.LeakyReLU(0.1),
                         nn.ConvTranspose2d(6, 2, 2, groups=2, dilation=2), nn.Tanh()), [torch.randn(2, 4, 5, 5)]


@model
def pooling():
    def f(s, x):
        return (F.avg_pool2d(x, 3, stride=2, padding=1), F.max_pool2d(x, 3, stride=2, padding=1, dilation=1),
                F.adaptive_avg_pool2d(x, 4), F.interpolate(x, scale_factor=2, mode="nearest"),
                F.avg_pool2d(x, 2, count_include_pad=False))
    return Of(f), [torch.randn(1, 3, 8, 8)]


@model
def activations():
    def f(s, x):
        return torch.stack([F.silu(x), F.gelu(x), F.gelu(x, approximate="tanh"), F.elu(x), F.selu(x), F.mish(x), F.softplus(x),
                            F.hardtanh(x), F.hardsigmoid(x), F.hardswish(x), F.relu6(x), F.celu(x), F.logsigmoid(x),
                            F.tanhshrink(x), F.softsign(x), torch.sigmoid(x)])
    return Of(f), [torch.randn(4, 6) * 3]


@model
def special():
    """Functions that exporters leave to custom calls or to CHLO."""
    def f(s, x):
        y = x * 0.9
        return torch.stack([torch.erf(x), torch.tan(x), torch.asin(y), torch.acos(y), torch.atan(x), torch.sinh(x), torch.cosh(x),
                            torch.asinh(x), torch.acosh(1.5 + x), torch.atanh(y)])
    return Of(f), [torch.rand(3, 5) - 0.5]


@model
def error_functions():
    def f(s, x):
        return torch.erfc(x), torch.erfinv(x * 0.9), torch.lgamma(x + 2), torch.digamma(x + 2), torch.special.expit(x)
    return Of(f), [torch.rand(3, 5) - 0.5]


@model
def top_k():
    def f(s, x):
        values, places = torch.topk(x, 3)
        least, at = torch.topk(x, 2, dim=0, largest=False)
        order, by = torch.sort(x, dim=-1, descending=True, stable=True)
        return values, places, least, at, order, by, torch.argmax(x, 1)
    return Of(f), [torch.randn(4, 7)]


@model
def indexing():
    def f(s, x, at):
        taken = torch.gather(x, 1, at)
        put = torch.zeros_like(x).scatter(1, at, taken)
        rows = x[at[:, 0] % 2]
        return taken, put, rows, torch.index_select(x, 1, at[0]), torch.cumsum(x, 1), torch.flip(x, [0, 1]), torch.roll(x, 2, 1)
    return Of(f), [torch.randn(3, 6), torch.tensor([[0, 2, 4], [5, 1, 3], [2, 0, 5]])]


@model
def eigen():
    def f(s, x):
        a = x @ x.mT + torch.eye(4)
        values, vectors = torch.linalg.eigh(a)
        return values, vectors.abs()
    return Of(f), [torch.randn(2, 4, 4)]


@model
def qr():
    def f(s, x):
        q, r = torch.qr(x)
        return q @ r, r.abs()
    return Of(f), [torch.randn(2, 5, 3)]


@model
def solve():
    def f(s, x, b):
        a = x @ x.mT + torch.eye(4)
        low = torch.linalg.cholesky(a)
        return low, torch.triangular_solve(b, low, upper=False)[0], torch.inverse(a)
    return Of(f), [torch.randn(2, 4, 4), torch.randn(2, 4, 3)]


@model
def gpt():
    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.first, self.second = nn.LayerNorm(24), nn.LayerNorm(24)
            self.qkv, self.out = nn.Linear(24, 72), nn.Linear(24, 24)
            self.up, self.down = nn.Linear(24, 96), nn.Linear(96, 24)

        def forward(self, x):
            b, t, c = x.shape
            q, k, v = (y.reshape(b, t, 3, 8).transpose(1, 2) for y in self.qkv(self.first(x)).split(24, -1))
            y = F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(b, t, c)
            x = x + self.out(y)
            return x + self.down(F.gelu(self.up(self.second(x)), approximate="tanh"))

    def f(s, words):
        x = s.words(words) + s.places(torch.arange(words.shape[1], device=words.device))
        return s.head(s.norm(s.blocks(x)))
    return Of(f, words=nn.Embedding(40, 24), places=nn.Embedding(16, 24), blocks=nn.Sequential(Block(), Block()),
              norm=nn.LayerNorm(24), head=nn.Linear(24, 40, bias=False)), [torch.randint(0, 40, (2, 9))]


@model
def held():
    """Weights, a constant, inputs in another order than arguments, and one that nothing uses: for the folder that torch_xla saves."""
    def f(s, x, unused, y):
        return y * s.out(x) + torch.tensor([0.5, -1.0, 2.0])
    return Of(f, out=nn.Linear(4, 3)), [torch.randn(2, 4), torch.randn(5), torch.randn(2, 3)]


def vision(name, size, **options):
    import torchvision.models
    return settle(getattr(torchvision.models, name)(weights=None, **options)), [torch.randn(1, 3, size, size)]


@model
def resnet18():
    return vision("resnet18", 64, num_classes=10)


@model
def mobilenet_v2():
    return vision("mobilenet_v2", 64, num_classes=10)


@model
def mobilenet_v3():
    return vision("mobilenet_v3_small", 64, num_classes=10)


@model
def vit():
    from torchvision.models import VisionTransformer
    m = VisionTransformer(image_size=32, patch_size=8, num_layers=2, num_heads=4, hidden_dim=32, mlp_dim=64, num_classes=10)
    nn.init.normal_(m.heads.head.weight)
    return m, [torch.randn(2, 3, 32, 32)]


def make(name):
    """The module and its inputs, the same each time."""
    torch.manual_seed(sum(map(ord, name)))
    m, inputs = MODELS[name]()
    return settle(m), tuple(inputs)
