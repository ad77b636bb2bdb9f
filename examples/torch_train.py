# SPDX-License-Identifier: Apache-2.0
"""Trains a small transformer with torch.compile(backend="tessera"): forward, backward and Adam's step are programs of Tessera.

    PYTHONPATH=python python3 examples/torch_train.py"""

import torch
import tessera.torch  # registers the backend

torch.manual_seed(0)
class Model(torch.nn.Module):
    def __init__(self, tokens=32, width=32):
        super().__init__()
        self.embed = torch.nn.Embedding(tokens, width)
        layer = torch.nn.TransformerEncoderLayer(width, 4, 2 * width, dropout=0.1, batch_first=True)
        self.layers = torch.nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.head = torch.nn.Linear(width, tokens)

    def forward(self, ids):
        return self.head(self.layers(self.embed(ids)))

model = Model()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
ids = torch.randint(0, 32, (8, 16))  # the task: say each token again


@torch.compile(backend="tessera")
def loss_of(ids):
    return torch.nn.functional.cross_entropy(model(ids).flatten(0, 1), ids.flatten())


step = torch.compile(optimizer.step, backend="tessera")
losses = []
for _ in range(40):
    optimizer.zero_grad()
    losses.append(loss_of(ids))
    losses[-1].backward()
    step()
print(f"loss {losses[0].item():.3f} -> {losses[-1].item():.3f}")
assert losses[-1].item() < 0.3 * losses[0].item()
print(tessera.torch.explain(model, ids))
