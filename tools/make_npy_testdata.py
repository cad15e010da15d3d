#!/usr/bin/env python3
"""Writes tests/data/numpy: small NPY and NPZ files made by NumPy, and expected.txt, what is in them.

A line of expected.txt is: file, 1 if it needs double, rows, columns, labels (or -), the cells row by row. Cells are
hexadecimal floats, so that nothing is lost. Needs python3 and numpy; the tests need neither.
"""
import pathlib
import numpy as np

HERE = pathlib.Path(__file__).resolve().parent.parent / "tests" / "data" / "numpy"
EXACT_IN_FLOAT = {"b1", "i1", "u1", "i2", "u2", "f2", "f4"}
lines = []


def note(name, array, labels="-"):
    kind = array.dtype.str[1:]
    flat = array.reshape(array.shape[0], -1)  # C order, whatever the array's
    cells = [float(v).hex() for v in flat.ravel()]
    lines.append(" ".join([name, str(int(kind not in EXACT_IN_FLOAT)), str(flat.shape[0]), str(flat.shape[1]), labels] + cells))


def save(name, array, version=(1, 0)):
    with open(HERE / name, "wb") as f:
        np.lib.format.write_array(f, array, version=version, allow_pickle=False)
    note(name, array)


def values(kind):
    """Twelve values that show a wrong width, sign or byte order."""
    if kind == "b1":
        return np.array([0, 1, 1, 0, 1, 0, 0, 0, 1, 1, 1, 0], dtype="b1")
    if kind[0] in "iu":
        info = np.iinfo(kind)
        some = [info.min, info.max, 0, 1, info.max // 3, info.min // 3, 2, 127, info.max - 1, 5, 100, 42]
        return np.array(some, dtype=kind)
    info = np.finfo(kind)
    some = [info.max, info.min, info.tiny, info.smallest_subnormal, -info.smallest_subnormal, 0.0, -0.0, 0.1,
            1.0, -2.5, 1.0 / 3, 1000.0]
    return np.array(some, dtype=kind)


HERE.mkdir(parents=True, exist_ok=True)
for old in HERE.iterdir():
    old.unlink()

for kind in ["b1", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8"]:
    table = values(kind).reshape(4, 3)
    for order in ["C", "F"]:
        for byte_order, word in [("<", "little"), (">", "big")]:
            if table.itemsize == 1 and word == "big":
                continue
            save(f"{kind}_{order}_{word}.npy", np.asarray(table.astype(byte_order + kind), order=order))

cube = np.arange(12, dtype="<i2").reshape(3, 2, 2)
save("axes1.npy", np.array([1.5, 2.5, -3.5]))
save("axes3_C.npy", cube)
save("axes3_F.npy", np.asfortranarray(cube))
save("axes4_F.npy", np.asfortranarray(np.arange(48, dtype="<f4").reshape(2, 2, 3, 4)))
save("one_cell.npy", np.array([[7]], dtype="<u1"))
save("version2.npy", values("f8").reshape(6, 2), version=(2, 0))
save("version3.npy", values("f8").reshape(2, 6), version=(3, 0))

rows = values("f8").reshape(4, 3)
labels = np.array([0, 1, 1, 0])
for pack, word in [(np.savez, "stored"), (np.savez_compressed, "deflated")]:
    for order in ["C", "F"]:
        pack(HERE / f"{word}_{order}.npz", X=np.asarray(rows, order=order), y=labels)
        note(f"{word}_{order}.npz", rows, "0110")
np.savez(HERE / "no_y.npz", X=rows)
note("no_y.npz", rows)
np.savez_compressed(HERE / "other_name.npz", y=labels.astype("b1"), data=rows)
note("other_name.npz", rows, "0110")
np.savez(HERE / "unnamed.npz", cube)
note("unnamed.npz", cube)
np.savez(HERE / "y_is_float_column.npz", note=rows, X=cube[:2], y=np.array([[1.0], [0.0]]))
note("y_is_float_column.npz", cube[:2], "10")
(HERE / "expected.txt").write_text("\n".join(lines) + "\n")
