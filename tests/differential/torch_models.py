#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Models of transformers and torchvision with random weights, at small sizes, through torch.compile(backend="tessera"), beside eager.

    torch_models.py [NAME...] [--train] [--table FILE] [--seconds N]

Each model runs in a process of its own. Forward: all results. --train: one step of those that are marked, loss and all gradients. A model counts if every
product and 99 % of the nodes of its graphs ran in programs, and everything agrees with eager. --table writes the table of docs/PYTORCH.md. Exit code 1
where fewer than all models agree."""

import argparse
import json
import math
import os
import re
import signal
import sys
import time
import warnings
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[0] = str(ROOT / "python")
warnings.filterwarnings("ignore")
os.environ.setdefault("OMP_NUM_THREADS", "2")
RTOL, ATOL = 1e-3, 2e-5

_TEXT = dict(vocab_size=128, hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4, max_position_embeddings=64)
_VISION = dict(image_size=32, patch_size=8, hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4)
_DECODER = dict(_TEXT, num_key_value_heads=2)
_D_MODEL = dict(vocab_size=128, d_model=32, encoder_layers=2, decoder_layers=2, encoder_attention_heads=4, decoder_attention_heads=4, encoder_ffn_dim=64, decoder_ffn_dim=64,
                max_position_embeddings=64, pad_token_id=0, bos_token_id=1, eos_token_id=2, decoder_start_token_id=1)
_TOKENS = dict(pad_token_id=0, bos_token_id=1, eos_token_id=2)

# name: (library, class, configuration, inputs, whether it is trained)
MODELS = {
    "bert": ("Bert", _TEXT, "ids", True), "roberta": ("Roberta", _TEXT, "ids", True), "distilbert": ("DistilBert", dict(vocab_size=128, dim=32, hidden_dim=64, n_layers=2, n_heads=4, max_position_embeddings=64), "ids", True),
    "albert": ("Albert", dict(_TEXT, embedding_size=16), "ids", True), "electra": ("Electra", dict(_TEXT, embedding_size=16), "ids", True),
    "deberta": ("Deberta", dict(_TEXT, relative_attention=True, pos_att_type=["c2p", "p2c"]), "ids", False), "deberta_v2": ("DebertaV2", dict(_TEXT, relative_attention=True, pos_att_type=["c2p", "p2c"]), "ids", False),
    "mpnet": ("MPNet", _TEXT, "ids", False), "camembert": ("Camembert", _TEXT, "ids", False), "xlm_roberta": ("XLMRoberta", _TEXT, "ids", False),
    "ernie": ("Ernie", _TEXT, "ids", False), "layoutlm": ("LayoutLM", _TEXT, "ids", False), "fnet": ("FNet", dict(_TEXT, use_tpu_fourier_optimizations=False), "ids", False),
    "convbert": ("ConvBert", dict(_TEXT, embedding_size=32), "ids", False), "squeezebert": ("SqueezeBert", dict(_TEXT, embedding_size=32, q_groups=2, k_groups=2, v_groups=2, intermediate_groups=2, output_groups=2), "ids", False),
    "mobilebert": ("MobileBert", dict(_TEXT, intra_bottleneck_size=16, embedding_size=16), "ids", False), "roformer": ("RoFormer", _TEXT, "ids", False),
    "megatron_bert": ("MegatronBert", _TEXT, "ids", False),
    "gpt2": ("GPT2", dict(vocab_size=128, n_embd=32, n_layer=2, n_head=4, n_positions=64), "ids", True), "gpt_neo": ("GPTNeo", dict(vocab_size=128, hidden_size=32, num_layers=2, num_heads=4, max_position_embeddings=64, attention_types=[[["global", "local"], 1]], window_size=8), "ids", True),
    "gpt_neox": ("GPTNeoX", _TEXT, "ids", True), "gptj": ("GPTJ", dict(vocab_size=128, n_embd=32, n_layer=2, n_head=4, n_positions=64, rotary_dim=4), "ids", False),
    "opt": ("OPT", dict(vocab_size=128, hidden_size=32, ffn_dim=64, num_hidden_layers=2, num_attention_heads=4, max_position_embeddings=64, word_embed_proj_dim=32, **_TOKENS), "ids", True),
    "bloom": ("Bloom", dict(vocab_size=128, hidden_size=32, n_layer=2, n_head=4), "ids", True), "llama": ("Llama", _DECODER, "ids", True), "mistral": ("Mistral", _DECODER, "ids", True),
    "qwen2": ("Qwen2", _DECODER, "ids", True), "qwen3": ("Qwen3", dict(_DECODER, head_dim=8), "ids", True), "gemma": ("Gemma", dict(_DECODER, head_dim=8), "ids", True),
    "gemma2": ("Gemma2", dict(_DECODER, head_dim=8, sliding_window=8), "ids", True), "gemma3": ("Gemma3Text", dict(_DECODER, head_dim=8, sliding_window=8), "ids", False),
    "phi": ("Phi", _TEXT, "ids", False), "phi3": ("Phi3", dict(_DECODER, **_TOKENS), "ids", True), "falcon": ("Falcon", dict(vocab_size=128, hidden_size=32, num_hidden_layers=2, num_attention_heads=4), "ids", False),
    "stablelm": ("StableLm", _DECODER, "ids", False), "cohere": ("Cohere", dict(_DECODER, **_TOKENS), "ids", False), "olmo": ("Olmo", dict(_DECODER, **_TOKENS), "ids", False), "olmo2": ("Olmo2", dict(_DECODER, **_TOKENS), "ids", False),
    "granite": ("Granite", _DECODER, "ids", False), "starcoder2": ("Starcoder2", _DECODER, "ids", False), "persimmon": ("Persimmon", _TEXT, "ids", False),
    "codegen": ("CodeGen", dict(vocab_size=128, n_embd=32, n_layer=2, n_head=4, n_positions=64, rotary_dim=4), "ids", False), "mpt": ("Mpt", dict(vocab_size=128, d_model=32, n_layers=2, n_heads=4, max_seq_len=64), "ids", False),
    "glm": ("Glm", dict(_DECODER, head_dim=8, **_TOKENS), "ids", False), "nemotron": ("Nemotron", dict(_DECODER, **_TOKENS), "ids", False), "mamba": ("Mamba", dict(vocab_size=128, hidden_size=32, num_hidden_layers=2, state_size=4), "ids", False),
    "t5": ("T5", dict(vocab_size=128, d_model=32, d_kv=8, d_ff=64, num_layers=2, num_heads=4, **_TOKENS), "both", True), "bart": ("Bart", _D_MODEL, "both", True), "mbart": ("MBart", _D_MODEL, "both", False), "pegasus": ("Pegasus", _D_MODEL, "both", False),
    "marian": ("Marian", _D_MODEL, "both", False), "blenderbot": ("Blenderbot", _D_MODEL, "both", False), "m2m_100": ("M2M100", _D_MODEL, "both", False),
    "whisper": ("Whisper", dict(_D_MODEL, num_mel_bins=8, max_source_positions=16, max_target_positions=32), "mel", True),
    "wav2vec2": ("Wav2Vec2", dict(_TEXT, conv_dim=[16, 16], conv_stride=[4, 4], conv_kernel=[8, 4], num_feat_extract_layers=2, num_conv_pos_embeddings=8, num_conv_pos_embedding_groups=4, apply_spec_augment=False), "wave", False),
    "hubert": ("Hubert", dict(_TEXT, conv_dim=[16, 16], conv_stride=[4, 4], conv_kernel=[8, 4], num_feat_extract_layers=2, num_conv_pos_embeddings=8, num_conv_pos_embedding_groups=4, apply_spec_augment=False), "wave", False),
    "vit": ("ViT", _VISION, "image", True), "deit": ("DeiT", _VISION, "image", False), "beit": ("Beit", _VISION, "image", False), "dinov2": ("Dinov2", _VISION, "image", False), "ijepa": ("IJepa", _VISION, "image", False),
    "swin": ("Swin", dict(image_size=32, patch_size=4, embed_dim=16, depths=[1, 1], num_heads=[2, 4], window_size=4), "image", True), "swinv2": ("Swinv2", dict(image_size=32, patch_size=4, embed_dim=16, depths=[1, 1], num_heads=[2, 4], window_size=4), "image", False),
    "convnext": ("ConvNext", dict(hidden_sizes=[8, 16], depths=[1, 1], num_stages=2), "image", True), "convnextv2": ("ConvNextV2", dict(hidden_sizes=[8, 16], depths=[1, 1], num_stages=2), "image", False),
    "segformer": ("Segformer", dict(num_encoder_blocks=2, depths=[1, 1], sr_ratios=[2, 1], hidden_sizes=[8, 16], patch_sizes=[7, 3], strides=[4, 2], num_attention_heads=[1, 2], mlp_ratios=[2, 2]), "image", False),
    "clip_vision": ("CLIPVision", _VISION, "image", False), "siglip_vision": ("SiglipVision", _VISION, "image", False), "poolformer": ("PoolFormer", dict(hidden_sizes=[8, 16], depths=[1, 1], num_encoder_blocks=2, patch_sizes=[7, 3], strides=[4, 2], padding=[2, 1]), "image", False),
    "regnet": ("RegNet", dict(embedding_size=8, hidden_sizes=[16, 32], depths=[1, 1], groups_width=8), "image", False), "resnet_hf": ("ResNet", dict(embedding_size=8, hidden_sizes=[16, 32], depths=[1, 1]), "image", False),
    "mobilevit": ("MobileViT", dict(image_size=32, hidden_sizes=[16, 24, 32], neck_hidden_sizes=[8, 8, 16, 16, 24, 24, 32]), "image", False), "bit": ("Bit", dict(embedding_size=16, hidden_sizes=[32, 64], depths=[1, 1], num_groups=4), "image", False),
    "tv_resnet18": ("resnet18", {}, "picture", True), "tv_resnet50": ("resnet50", {}, "picture", False), "tv_vgg11_bn": ("vgg11_bn", {}, "picture", False), "tv_mobilenet_v2": ("mobilenet_v2", {}, "picture", True),
    "tv_mobilenet_v3_small": ("mobilenet_v3_small", {}, "picture", True), "tv_efficientnet_b0": ("efficientnet_b0", {}, "picture", False), "tv_densenet121": ("densenet121", {}, "picture", False),
    "tv_squeezenet1_1": ("squeezenet1_1", {}, "picture", False), "tv_shufflenet_v2": ("shufflenet_v2_x0_5", {}, "picture", True), "tv_mnasnet": ("mnasnet0_5", {}, "picture", False), "tv_regnet": ("regnet_y_400mf", {}, "picture", False),
    "tv_alexnet": ("alexnet", {}, "picture", False),
}
# Experts are chosen by data: graphs break where rows are counted.
ROUTED = {
    "mixtral": ("Mixtral", dict(_DECODER, num_local_experts=4), "ids", False), "qwen2_moe": ("Qwen2Moe", dict(_DECODER, num_experts=4, moe_intermediate_size=32, shared_expert_intermediate_size=32), "ids", False),
    "olmoe": ("Olmoe", dict(_DECODER, num_experts=4, num_experts_per_tok=2, **_TOKENS), "ids", False),
}


def make(name):
    """A model and the keyword arguments of a call."""
    import torch

    torch.manual_seed(0)
    class_name, config, inputs, _ = {**MODELS, **ROUTED}[name]
    ids = torch.randint(3, 128, (2, 16))
    given = {"ids": lambda: dict(input_ids=ids), "both": lambda: dict(input_ids=ids, decoder_input_ids=ids[:, :8]), "image": lambda: dict(pixel_values=torch.randn(2, 3, 32, 32)),
             "mel": lambda: dict(input_features=torch.randn(2, 8, 32), decoder_input_ids=ids[:, :8]), "wave": lambda: dict(input_values=torch.randn(2, 512)),
             "picture": lambda: dict(x=torch.randn(2, 3, 64, 64))}[inputs]()
    if inputs == "picture":
        import torchvision

        return getattr(torchvision.models, class_name)(**config), given
    import transformers

    made = getattr(transformers, f"{class_name}Config")(**config)
    if inputs in ("ids", "both", "mel"):
        made.use_cache = False
    return getattr(transformers, f"{class_name}Model")(made), given


def tensors(x):
    import torch

    if isinstance(x, torch.Tensor):
        return [x]
    if isinstance(x, dict):
        x = list(x.values())
    return [t for v in x for t in tensors(v)] if isinstance(x, (tuple, list)) else []


def without_dropout(model):
    import torch

    for m in model.modules():
        for k, v in list(vars(m).items()):
            if isinstance(v, float) and re.search("drop", k):
                setattr(m, k, 0.0)
        if isinstance(m, torch.nn.Dropout):
            m.p = 0.0
        config = getattr(m, "config", None)
        for k, v in list(vars(config).items()) if config is not None else []:
            if isinstance(v, float) and re.search("drop", k):
                setattr(config, k, 0.0)


def apart(mine, theirs, least=0.0):
    """The greatest error beside the greatest element, and whether all are within the tolerance. Of gradients, elements that are small beside those of all
    others, as those of biases before a norm, are noise: least."""
    worst, good = 0.0, len(mine) == len(theirs)
    least *= max((float(b.abs().max()) for b in theirs if b.is_floating_point() and b.numel()), default=0.0)
    for a, b in zip(mine, theirs):
        if a.shape != b.shape or a.dtype != b.dtype:
            return math.inf, False
        if not a.is_floating_point():
            good = good and bool((a == b).all())
            continue
        if not b.numel():
            continue
        scale = max(least, float(b.abs().max()), 1e-30)
        worst = max(worst, float((a - b).abs().max()) / scale)
        good = good and bool(((a - b).abs() <= ATOL * scale + RTOL * b.abs()).all())
    return worst, good


def loss_of(out):
    return sum(t.float().square().mean() for t in tensors(out) if t.is_floating_point() and t.requires_grad)


def judged(name, train):
    """What happened to a model, as a dictionary."""
    import torch

    import tessera.torch as door

    torch.set_num_threads(2)
    torch._dynamo.config.recompile_limit = 64
    model, given = make(name)
    log = []
    door._LOGS.append(log)
    start = time.perf_counter()
    if not train:
        model.eval()
        compiled = torch.compile(model, backend="tessera", dynamic=False)
        with torch.no_grad():
            mine = [t.clone() for t in tensors(compiled(**given))]
            first = time.perf_counter() - start
            error, good = apart(mine, tensors(model(**given)))
    else:
        import copy

        model.train()
        without_dropout(model)
        twin = copy.deepcopy(model)
        loss = loss_of(torch.compile(model, backend="tessera", dynamic=False)(**given))
        loss.backward()
        first = time.perf_counter() - start
        other = loss_of(twin(**given))
        other.backward()
        mine, theirs = ([l.detach(), *(p.grad for p in m.parameters() if p.grad is not None), *m.buffers()] for l, m in ((loss, model), (other, twin)))
        error, good = apart(mine, theirs, 1e-3)
    nodes, inside = sum(r.nodes for r, _ in log), sum(r.inside for r, _ in log)
    eager = sorted({k[0] + f" ({k[1]})" for r, _ in log for k in r.eager})
    products = sum(r.products - r.products_inside for r, _ in log)
    return dict(name=name, train=train, error=error, agrees=good, graphs=len(log), nodes=nodes, inside=inside, products_outside=products, eager=eager,
                counts=bool(good and not products and inside >= 0.99 * nodes), seconds=first, build=sum(r.build_seconds for r, _ in log),
                compile=sum(r.compile_seconds for r, _ in log))


def in_process(name, train, seconds):
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(read)
        signal.alarm(seconds)
        try:
            found = judged(name, train)
        except BaseException as error:  # noqa: BLE001 - told as the model's reason
            if os.environ.get("RAISE"):
                import traceback

                traceback.print_exc()
            found = dict(name=name, train=train, counts=False, why=f"{type(error).__name__}: {' '.join(str(error).split())[:300]}")
        os.write(write, json.dumps(found).encode())
        os._exit(0)
    os.close(write)
    data = b""
    while part := os.read(read, 65536):
        data += part
    os.close(read)
    os.waitpid(pid, 0)
    return json.loads(data) if data else dict(name=name, train=train, counts=False, why=f"no answer in {seconds} seconds")


def line(r):
    if "why" in r:
        return f"| {r['name']} | {'train' if r['train'] else 'forward'} | | | {r['why'][:120]} |"
    note = "; ".join(r["eager"]) or ("" if r["agrees"] else "differs")
    return f"| {r['name']} | {'train' if r['train'] else 'forward'} | {r['graphs']} | {r['inside']} of {r['nodes']} | {r['error']:.1e}{' ' + note if note else ''} |"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*")
    parser.add_argument("--train", action="store_true")
    parser.add_argument("--routed", action="store_true")
    parser.add_argument("--all", action="store_true", help="forward, training, and models with routing")
    parser.add_argument("--table")
    parser.add_argument("--seconds", type=int, default=150)
    options = parser.parse_args()
    import torch  # noqa: F401 - once, before processes are forked
    import torchvision  # noqa: F401
    import transformers

    transformers.logging.set_verbosity_error()
    import tessera  # noqa: F401

    work = [(n, options.train) for n in options.names]
    if not work:
        work = [(n, False) for n in (ROUTED if options.routed else MODELS)] if not options.train or options.all else []
        work += [(n, True) for n, m in MODELS.items() if m[3]] if options.train or options.all else []
        work += [(n, False) for n in ROUTED] if options.all else []
    lines, count = [], {}
    for name, train in work:
        found = in_process(name, train, options.seconds)
        lines.append(line(found))
        kind = "routed" if name in ROUTED else "train" if train else "forward"
        yes, all_ = count.get(kind, (0, 0))
        count[kind] = yes + found["counts"], all_ + 1
        print(("ok  " if found["counts"] else "NO  ") + lines[-1], flush=True)
    summary = ", ".join(f"{k}: {yes} of {n} count" for k, (yes, n) in count.items())
    print(summary)
    if options.table:
        path = Path(options.table)
        text = path.read_text()
        head = "| model | | graphs | nodes in programs | greatest error |\n| --- | --- | ---: | ---: | --- |\n"
        before, _, rest = text.partition("<!-- models -->")
        path.write_text(f"{before}<!-- models -->\n{summary}.\n\n{head}" + "\n".join(lines) + "\n<!-- models end -->" + rest.partition("<!-- models end -->")[2])
    sys.exit(any(yes < n for k, (yes, n) in count.items() if k != "routed"))


if __name__ == "__main__":
    main()
