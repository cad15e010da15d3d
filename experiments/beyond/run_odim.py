"""Scores of odim for every transform of every set: run_odim.py ODIM SEED TRANSFORM,... SET... [-- flags of odim detect]. Kept as SCORES/set/transform/seed.npy."""
import os, subprocess, sys, tempfile
import numpy as np
import sets, transforms


def main():
    args = sys.argv[1:]
    tag, flags = "", ["--preset", "fast"]
    if "--" in args:
        at = args.index("--")
        args, tag, flags = args[:at], args[at + 1], args[at + 2:]
    odim, seed, which = args[0], args[1], args[2].split(",")
    for name in args[3:]:
        x, _ = sets.load(name)
        made = transforms.make(x)
        for v in which:
            out = os.path.join(sets.SCORES, name, v + tag, seed + ".npy")
            if os.path.exists(out):
                continue
            os.makedirs(os.path.dirname(out), exist_ok=True)
            with tempfile.TemporaryDirectory() as tmp:
                np.save(tmp + "/x.npy", made[v].astype(np.float32))
                subprocess.run([odim, "detect", tmp + "/x.npy", "-q", "--threads", "1", "--seed", seed,
                                "-o", tmp + "/s.csv"] + flags, check=True)
                with open(tmp + "/s.csv") as f:
                    head = f.readline().strip().split(",")
                s = np.loadtxt(tmp + "/s.csv", delimiter=",", skiprows=1, usecols=head.index("score"))
            np.save(out, s)


main()
