#!/usr/bin/env python3
"""Fashion-MNIST as files: the same pictures from an IDX file, PNG and JPEG files, as Markdown.

    tools/build.sh release odim idx_pictures
    bench/pictures.py [build]

The 1,000 trousers of the test set and 50 other pictures, which are the outliers. ODIM_DATA is the folder that holds
images/fashion (../shared/data unless set).
"""
import csv
import gzip
import os
import struct
import subprocess
import sys
import tempfile

BUILD = sys.argv[1] if len(sys.argv) > 1 else "build"
DATA = os.path.join(os.environ.get("ODIM_DATA", "../shared/data"), "images/fashion")
INLIER, OTHERS, SIDE = 1, 50, 28


def read(name, header):
    with gzip.open(os.path.join(DATA, name)) as file:
        return file.read()[header:]


def auc(scores, labels):
    """The share of pairs of an outlier and an inlier that are in order."""
    odd = [s for s, odd in zip(scores, labels) if odd]
    rest = [s for s, odd in zip(scores, labels) if not odd]
    return sum((a > b) + 0.5 * (a == b) for a in odd for b in rest) / (len(odd) * len(rest))


def detect(folder, *args):
    out = subprocess.run([f"{BUILD}/odim", "detect", *args, "-q", "-o", "-"], cwd=folder, check=True,
                         stdout=subprocess.PIPE, text=True).stdout
    return [row["score"] for row in csv.DictReader(out.splitlines())]


def main():
    global BUILD
    BUILD = os.path.abspath(BUILD)
    if not os.path.isdir(DATA):
        print("skipped: no data (ODIM_DATA is the folder that holds images/fashion)")
        return
    pixels, classes = read("t10k-images-idx3-ubyte.gz", 16), read("t10k-labels-idx1-ubyte.gz", 8)
    size = SIDE * SIDE
    others = [i for i, kind in enumerate(classes) if kind != INLIER][:OTHERS]
    chosen = sorted(others + [i for i, kind in enumerate(classes) if kind == INLIER])
    labels = [classes[i] != INLIER for i in chosen]
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/p.idx", "wb") as file:
            file.write(struct.pack(">4I", 0x803, len(chosen), SIDE, SIDE))
            file.write(b"".join(pixels[i * size:(i + 1) * size] for i in chosen))
        for kind in ("png", "jpeg"):
            os.mkdir(f"{folder}/{kind}")
            subprocess.run([f"{BUILD}/tests/idx_pictures", "p.idx", kind] + ["jpeg"][:kind == "jpeg"], cwd=folder, check=True)
        first = None
        print(f"{len(labels)} pictures, {sum(labels)} of them outliers.\n")
        print("| input | AUC | scores |\n|:--|--:|:--|")
        for name, args in (("IDX", ["p.idx"]), ("PNG, 28x28", ["png", "--pixels", "28x28"]),
                           ("JPEG, 28x28", ["jpeg", "--pixels", "28x28"]), ("PNG, 16x16", ["png"]),
                           ("PNG, 8x8", ["png", "--pixels", "8x8"])):
            scores = detect(folder, *args)
            first = first or scores
            same = "the same" if scores == first else "others"
            print(f"| {name} | {auc([float(s) for s in scores], labels):.4f} | {same} |")


if __name__ == "__main__":
    main()
