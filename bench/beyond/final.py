"""Runs a preset over whole sets: final.py ODIM OUT.tsv PRESET SEED SET... Lines already there are not run again."""
import os, re, resource, subprocess, sys
import sets

odim, out, preset, seed = sys.argv[1:5]
done = {tuple(l.split("\t")[:3]) for l in open(out)} if os.path.exists(out) else set()
for name in sys.argv[5:]:
    if (name, preset, seed) in done:
        continue
    kind = next(k for k in ("tabular", "image-embeddings", "text-embeddings")
                if os.path.exists(os.path.join(sets.DATA, k, name + ".npz")))
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    r = subprocess.run([odim, "detect", os.path.join(sets.DATA, kind, name + ".npz"), "--preset", preset, "--seed", seed,
                        "--threads", "1", "-o", "/dev/null"], capture_output=True, text=True)
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    m = re.search(r"AUC ([0-9.]+), average precision ([0-9.]+)", r.stderr)
    if not m:
        sys.exit(name + ": " + r.stderr)
    with open(out, "a") as f:
        f.write("%s\t%s\t%s\t%s\t%s\t%.2f\n" % (name, preset, seed, m[1], m[2], seconds))
