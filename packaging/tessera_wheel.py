# SPDX-License-Identifier: Apache-2.0
"""Makes wheels and the source package with Python's standard library alone, the same bytes for the same contents.

    tessera_wheel.py wheel FOLDER --platform manylinux_2_28_x86_64 --library libtessera.so --plugin pjrt_plugin_tessera.so
             --cuda tessera_cuda.so --command tessera --shared DIR --stubs builder.pyi
    tessera_wheel.py tt FOLDER
    tessera_wheel.py sdist FOLDER

Run in the root of the source tree. --shared: a folder with man/man1 and the completions, for share/.
It is also the backend that pip calls for the source package: that needs a compiler and make, and nothing else.
"""

import base64
import hashlib
import io
import os
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PEERS = ("stablehlo-opt", "stablehlo-translate", "sdy_opt", "ttmlir-opt", "ttmlir-translate", "ttrt")
TT_PACKAGES = ("ttmlir", "_ttmlir_runtime", "ttnn", "builder", "golden", "profiler")
NOT_IN_SDIST = ("build", "tests", "bench", ".git", ".github", ".ci", "shared")


def version():
    header = (ROOT / "include/tessera/tessera.h").read_text()
    return ".".join(re.findall(r"^#define TSR_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", header, re.M))


def versions_of_jax():
    text = (ROOT / "python/jax_plugins/tessera/__init__.py").read_text()
    oldest, newest = re.search(r"^OLDEST, NEWEST = \((.*?)\), \((.*?)\)$", text, re.M).groups()
    major, minor = newest.split(", ")
    return f"jax>={oldest.replace(', ', '.')},<{major}.{int(minor) + 1}"


def when():
    """The time of all files: SOURCE_DATE_EPOCH, or the oldest that zip can have."""
    import time

    return max(time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH", 0)))[:6], (1980, 1, 1, 0, 0, 0))


def metadata(name, summary, *lines):
    readme = (ROOT / "README.md").read_text()
    return "\n".join(["Metadata-Version: 2.1", f"Name: {name}", f"Version: {version()}", f"Summary: {summary}", "Author: The Tessera authors",
                      "License: Apache-2.0", "Requires-Python: >=3.10", *lines, "Description-Content-Type: text/markdown", "", readme])


class Wheel:
    """Files by their names, written in order, and then the record of them."""

    def __init__(self, folder, name, tag):
        self.info = f"{name}-{version()}.dist-info"
        self.data = f"{name}-{version()}.data"
        self.path = Path(folder) / f"{name}-{version()}-{tag}.whl"
        self.files = {}
        self.add(f"{self.info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: tessera\nRoot-Is-Purelib: {'true' if tag.endswith('-any') else 'false'}\nTag: {tag}\n")
        for extra in ("LICENSE", "THIRD_PARTY.md"):
            self.add(f"{self.info}/licenses/{extra}", (ROOT / extra).read_bytes())

    def add(self, name, data, executable=False):
        self.files[name] = (data.encode() if isinstance(data, str) else data, executable)

    def add_tree(self, folder, name, kinds):
        for path in sorted(Path(folder).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts and path.suffix in kinds:
                self.add(f"{name}/{path.relative_to(folder).as_posix()}", path.read_bytes())

    def write(self):
        record = io.StringIO()
        self.path.parent.mkdir(parents=True, exist_ok=True)
        part = self.path.with_suffix(".part")
        with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as out:
            for name, (data, executable) in [*sorted(self.files.items()), (None, (b"", False))]:
                if name is None:
                    name = f"{self.info}/RECORD"
                    data = (record.getvalue() + f"{name},,\n").encode()
                digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
                record.write(f"{name},sha256={digest},{len(data)}\n")
                entry = zipfile.ZipInfo(name, when())
                entry.compress_type = zipfile.ZIP_DEFLATED
                entry.create_system = 3
                entry.external_attr = (0o100755 if executable else 0o100644) << 16
                out.writestr(entry, data)
        part.replace(self.path)
        return self.path


def make_wheel(folder, platform, library, plugin, cuda, command, shared, stubs):
    w = Wheel(folder, "tessera_compiler", f"py3-none-{platform}")
    w.add_tree(ROOT / "python/tessera", "tessera", (".py", ".pyi", ".typed"))
    w.add("tessera/py.typed", "")
    w.add_tree(ROOT / "python/jax_plugins/tessera", "jax_plugins/tessera", (".py",))
    w.add("tessera/_version.py", f'__version__ = "{version()}"\n')
    w.add("tessera/builder.pyi", Path(stubs).read_bytes())
    w.add("tessera/libtessera.so", Path(library).read_bytes(), True)
    w.add("tessera/pjrt_plugin_tessera.so", Path(plugin).read_bytes(), True)
    # Beside the library, and where the command looks for it (src/base/plug_in.c).
    for place in ("tessera", f"{w.data}/data/lib/tessera"):
        w.add(f"{place}/tessera_cuda.so", Path(cuda).read_bytes(), True)
    w.add(f"{w.data}/scripts/tessera", Path(command).read_bytes(), True)
    for path in sorted(Path(shared).rglob("*")):
        if path.is_file():
            w.add(f"{w.data}/data/share/{path.relative_to(shared).as_posix()}", path.read_bytes())
    commands = "".join(f"{peer} = tessera._command:main\n" for peer in PEERS)
    w.add(f"{w.info}/entry_points.txt", f"[console_scripts]\n{commands}\n[jax_plugins]\ntessera = jax_plugins.tessera\n")
    w.add(f"{w.info}/METADATA", metadata(
        "tessera-compiler", "Tessera: a tensor-graph compiler and runtime for device meshes, and its plugin for JAX", "Provides-Extra: jax",
        f'Requires-Dist: {versions_of_jax()}; extra == "jax"', "Provides-Extra: numpy", 'Requires-Dist: numpy; extra == "numpy"',
        "Provides-Extra: tt", f'Requires-Dist: tessera-tt=={version()}; extra == "tt"'))
    return w.write()


def make_tt(folder):
    w = Wheel(folder, "tessera_tt", "py3-none-any")
    for package in TT_PACKAGES:
        w.add_tree(ROOT / "python/tt" / package, package, (".py", ".hpp", ".cpp", ".def", ".pyi", ".typed"))
    w.add(f"{w.info}/METADATA", metadata(
        "tessera-tt", "tt-mlir's Python packages over Tessera: ttmlir, _ttmlir_runtime, ttnn, builder, golden, profiler",
        f"Requires-Dist: tessera-compiler=={version()}", "Requires-Dist: numpy"))
    return w.write()


def sources():
    """What the source package has: all that a build needs, without what it makes."""
    for top in sorted(ROOT.iterdir()):
        if top.name in NOT_IN_SDIST or top.suffix == ".part":
            continue
        paths = sorted(top.rglob("*")) if top.is_dir() else [top]
        for path in paths:
            parts = path.relative_to(ROOT).parts
            made = {"__pycache__", "build"} & set(parts[:-1]) and parts[:2] != ("src", "build") or any(p.endswith(".egg-info") for p in parts)
            if path.is_file() and not made:
                yield path


def make_sdist(folder):
    import calendar
    import gzip

    base = f"tessera_compiler-{version()}"
    path = Path(folder) / f"{base}.tar.gz"
    path.parent.mkdir(parents=True, exist_ok=True)
    stamp = calendar.timegm((*when(), 0, 0, 0))
    part = path.with_suffix(".part")
    with open(part, "wb") as raw, gzip.GzipFile("", "wb", 9, raw, 0) as packed, tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as out:

        def add(name, data, mode):
            entry = tarfile.TarInfo(f"{base}/{name}")
            entry.size, entry.mtime, entry.mode = len(data), stamp, mode
            out.addfile(entry, io.BytesIO(data))

        add("PKG-INFO", metadata("tessera-compiler", "Tessera: a tensor-graph compiler and runtime for device meshes").encode(), 0o644)
        for source in sources():
            add(source.relative_to(ROOT).as_posix(), source.read_bytes(), 0o755 if os.access(source, os.X_OK) else 0o644)
    part.replace(path)
    return path


def write_shared(tessera, folder):
    """Man pages and completions, which the program itself prints."""
    folder = Path(folder)
    pages = {"man/man1/tessera.1": ["man"]}
    commands = re.search(r"^COMMANDS := (.*)$", (ROOT / "Makefile").read_text(), re.M).group(1).split()
    pages.update({f"man/man1/tessera-{c}.1": ["man", c] for c in commands})
    pages.update({"bash-completion/completions/tessera": ["completion", "bash"], "zsh/site-functions/_tessera": ["completion", "zsh"],
                  "fish/vendor_completions.d/tessera.fish": ["completion", "fish"]})
    for name, arguments in pages.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(subprocess.run([str(tessera), *arguments], check=True, stdout=subprocess.PIPE).stdout)
    return folder


def write_stubs(library, path):
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "python"), "TESSERA_LIBRARY": str(Path(library).resolve()), "PYTHONDONTWRITEBYTECODE": "1"}
    with open(path, "wb") as out:
        subprocess.run([sys.executable, "-m", "tessera.stubs"], check=True, stdout=out, env=environment)
    return path


# ---- What pip calls for the source package ----


def get_requires_for_build_wheel(config_settings=None):
    return []


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    import sysconfig

    build = ROOT / "build"
    subprocess.run([os.environ.get("MAKE", "make"), f"-j{os.cpu_count() or 1}", "-C", str(ROOT), "all"], check=True, stdout=sys.stderr)
    shared = write_shared(build / "bin/tessera", build / "share")
    stubs = write_stubs(build / "libtessera.so", build / "builder.pyi")
    platform = re.sub(r"[-.]", "_", sysconfig.get_platform())
    made = [build / f for f in ("libtessera.so", "pjrt_plugin_tessera.so", "tessera_cuda.so", "bin/tessera")]
    return make_wheel(wheel_directory, platform, *made, shared, stubs).name


def get_requires_for_build_sdist(config_settings=None):
    return []


def build_sdist(sdist_directory, config_settings=None):
    return make_sdist(sdist_directory).name


def main():
    what, folder, *rest = sys.argv[1:]
    given = {rest[i].removeprefix("--"): rest[i + 1] for i in range(0, len(rest), 2)}
    if what == "wheel":
        print(make_wheel(folder, **given))
    elif what == "tt":
        print(make_tt(folder))
    elif what == "sdist":
        print(make_sdist(folder))
    elif what == "shared":
        write_shared(given["command"], folder)
    elif what == "stubs":
        write_stubs(given["library"], folder)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
