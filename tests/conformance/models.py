# SPDX-License-Identifier: Apache-2.0
"""models.py --bin DIR [--table FILE] [--memory MB] [--seconds N] PATH... - runs every .mlir file below the paths with random inputs.

Prints 'ok FILE' or 'FAIL FILE: why' for each: a file fails when `tessera run` refuses it or when it needs more memory or
time than allowed (the message says so). --table writes Markdown: time of the processor, memory, and
the wall time of inputs and evaluation, by file.
"""
import argparse, os, re, resource, subprocess, sys, tempfile, time


def available_mb():
    try:
        with open("/proc/meminfo") as f:
            for line in f:
                if line.startswith("MemAvailable"):
                    return int(line.split()[1]) // 1024
    except OSError:
        pass
    return 8192


def files_of(paths):
    for p in paths:
        if os.path.isfile(p):
            yield p
            continue
        for folder, _, names in sorted(os.walk(p)):
            for n in sorted(names):
                if n.endswith(".mlir"):
                    yield os.path.join(folder, n)


def run(tessera, path, mb, seconds):
    """(why it failed or '', seconds of the processor, MB, ms of inputs, ms of evaluation)"""
    with tempfile.TemporaryFile() as err:
        limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (mb << 20, mb << 20))
        p = subprocess.Popen([tessera, "run", path, "--input=random", "--timing"], stdout=subprocess.DEVNULL, stderr=err,
                             preexec_fn=limit)
        end, status, usage = time.time() + seconds, None, None
        while status is None:
            pid, code, use = os.wait4(p.pid, os.WNOHANG)
            if pid:
                status, usage = code, use
            elif time.time() > end:
                p.kill()
                _, _, usage = os.wait4(p.pid, 0)
                return "takes more than %d s" % seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss >> 10, 0, 0
            else:
                time.sleep(0.01)
        p.returncode = 0  # waited for
        err.seek(0)
        text = err.read().decode(errors="replace")
    why = ""
    if os.WIFSIGNALED(status):
        why = "ended by signal %d" % os.WTERMSIG(status)
    elif os.WEXITSTATUS(status):
        error = re.search(r"error: (.*)", text)
        why = (error.group(1) if error else "exit code %d" % os.WEXITSTATUS(status))[:160]
        if os.WEXITSTATUS(status) == 3:
            why = "does not fit in %d MB: %s" % (mb, why)
    ms = {k: float(v) for v, k in re.findall(r"^\s*([0-9.]+)  (load inputs|evaluate)$", text, re.M)}
    return why, usage.ru_utime + usage.ru_stime, usage.ru_maxrss >> 10, ms.get("load inputs", 0), ms.get("evaluate", 0)


def main():
    a = argparse.ArgumentParser()
    a.add_argument("--bin", default="build/bin")
    a.add_argument("--table")
    a.add_argument("--memory", type=int, default=0, help="MB of address space; default: nine tenths of what is free")
    a.add_argument("--seconds", type=int, default=600)
    a.add_argument("paths", nargs="+")
    a = a.parse_args()
    mb = a.memory or available_mb() * 9 // 10
    rows, failed = [], 0
    for path in files_of(a.paths):
        why, cpu, used, load, evaluate = run(os.path.join(a.bin, "tessera"), path, mb, a.seconds)
        failed += bool(why)
        print("FAIL %s: %s" % (path, why) if why else "ok %s" % path, flush=True)
        rows.append((os.path.basename(path)[:-5], cpu, used, load, evaluate, why))
    if a.table:
        with open(a.table, "w") as f:
            f.write("# Models\n\nMade by `tests/conformance/models.py --table docs/MODELS.md` on the model graphs of tt-mlir's "
                    "test/ttmlir/models, with random\ninputs by seed 0; do not edit. Seconds are those of one processor, "
                    "inputs included; MB is the most memory at once.\n\n| model | s | MB | |\n| --- | ---: | ---: | --- |\n")
            for name, cpu, used, _, _, why in rows:
                f.write("| %s | %.1f | %d | %s |\n" % (name, cpu, used, why or "runs"))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
