"""Checks that the platform tag of a wheel is true, and that the wheel has its license and metadata.

    check_wheel.py WHEEL

It reads the libraries with objdump, where python/bundle.py, which chose the tag, asks readelf.
"""
import re
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

# What PEP 600 allows a wheel to expect from any Linux with glibc, as far as it concerns a C library.
ALLOWED = {"libgcc_s.so.1", "libm.so.6", "libdl.so.2", "librt.so.1", "libc.so.6", "libpthread.so.0", "libz.so.1",
           "libexpat.so.1", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}


def objdump(option, path):
    return subprocess.run(["objdump", option, path], check=True, capture_output=True, text=True).stdout


def main():
    wheel = Path(sys.argv[1])
    python, abi, platform = wheel.stem.split("-")[2:]
    assert (python, abi) == ("py3", "none"), wheel.name
    with tempfile.TemporaryDirectory() as folder:
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(folder)
        inside = Path(folder)
        info, = inside.glob("*.dist-info")
        assert "MIT" in (info / "LICENSE").read_text(), "no license"
        metadata = (info / "METADATA").read_text()
        for field in ("Name: odim", "Summary: ", "License: MIT", "Requires-Python: >=3.9", "Classifier: Typing :: Typed"):
            assert re.search(rf"^{field}", metadata, re.M), f"no {field} in the metadata"
        libraries = list(inside.rglob("*.so*"))
        assert inside / "odim" / "libodim.so" in libraries
        needed = {name for path in libraries for name in re.findall(r"NEEDED +(\S+)", objdump("-p", path))}
        foreign = needed - ALLOWED - {path.name for path in libraries}
        used = max((int(a), int(b)) for path in libraries
                   for a, b in re.findall(r"GLIBC_(\d+)\.(\d+)", objdump("-T", path)))
        many = re.fullmatch(r"manylinux_(\d+)_(\d+)_\w+", platform)
        if many:
            assert not foreign, f"{platform}, but the system must have {sorted(foreign)}"
            assert used == (int(many[1]), int(many[2])), f"{platform}, but symbols of glibc {used} are used"
            texts = list((inside / "odim" / "libs").glob("*.LICENSE"))
            assert len(texts) == len(libraries) - 1, "a bundled library has no license text"
        else:
            assert foreign, f"{platform}, though manylinux_{used[0]}_{used[1]} would be true"
    print(platform)


if __name__ == "__main__":
    main()
