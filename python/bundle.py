"""Makes a wheel of odim work on other Linux systems, and finds the platform tag that is true of it.

PEP 600: a wheel with the tag manylinux_X_Y runs wherever glibc is X.Y or newer, if it needs nothing from the system but
the libraries below. Other libraries are copied next to libodim.so. They get names of their own, because a program has
only one library of each name, and Python's modules may have loaded another version of it.
"""
import hashlib
import re
import shutil
import subprocess
from pathlib import Path

# Libraries that every Linux with glibc has. PEP 600 has more; these are the ones that matter here.
SYSTEM = {"libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1", "libgcc_s.so.1", "libz.so.1",
          "libexpat.so.1", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}


def _run(*command):
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True).stdout


def needed(library):
    """The names of the libraries that a library asks for."""
    return re.findall(r"\(NEEDED\).*\[(.+?)\]", _run("readelf", "-d", "-W", library))


def glibc(library):
    """The oldest glibc that has all the symbols that a library uses, as (major, minor)."""
    found = re.findall(r"Name: GLIBC_(\d+)\.(\d+)", _run("readelf", "-V", "-W", library))
    return max(((int(major), int(minor)) for major, minor in found), default=(2, 0))


def _paths(library):
    """name: path of all libraries that are loaded with this one."""
    return {name: Path(path) for name, path in re.findall(r"(\S+) => (/\S+)", _run("ldd", library))}


def _license(path, folder):
    """Copies the license of a Debian package, which must come along with its library."""
    for name in {path, path.resolve(), Path(str(path.resolve()).replace("/usr/lib", "/lib", 1))}:
        try:
            package = _run("dpkg", "-S", name).split(":")[0]
        except (OSError, subprocess.CalledProcessError):
            continue
        text = Path("/usr/share/doc") / package / "copyright"
        if text.exists():
            shutil.copyfile(text, folder / f"{package}.LICENSE")
            return True
    return False


def bundle(library):
    """Copies the libraries that `library` needs, but systems may lack, to the folder libs beside it.

    Does nothing, and says why, if that is not possible; the wheel is then for this kind of system only.
    """
    foreign = {name: path for name, path in _paths(library).items() if name not in SYSTEM}
    if not foreign:
        return
    if not shutil.which("patchelf"):
        print("not bundling libraries: patchelf is missing; the wheel needs them on the system:", *foreign)
        return
    folder = library.parent / "libs"
    folder.mkdir()
    if not all([_license(path, folder) for path in foreign.values()]):
        print("not bundling libraries: some have no license text in /usr/share/doc:", *foreign)
        shutil.rmtree(folder)
        return
    names = {}
    for name, path in foreign.items():
        digest = hashlib.sha256(path.read_bytes()).hexdigest()[:8]
        stem, _, rest = name.partition(".so")
        names[name] = f"{stem}-odim-{digest}.so{rest}"
        shutil.copyfile(path, folder / names[name])
    for file, rpath in [(library, "$ORIGIN/libs")] + [(folder / new, "$ORIGIN") for new in names.values()]:
        if file != library:
            _run("patchelf", "--set-soname", file.name, file)
        for name in needed(file):
            if name in names:
                _run("patchelf", "--replace-needed", name, names[name], file)
        _run("patchelf", "--set-rpath", rpath, file)


def platform_tag(folder, plain):
    """The tag of a wheel with the libraries in a folder; `plain` unless a manylinux tag is true."""
    libraries = list(Path(folder).rglob("*.so*"))
    own = {path.name for path in libraries}
    if not plain.startswith("linux_") or any(set(needed(path)) - SYSTEM - own for path in libraries):
        return plain
    return "manylinux_{}_{}_".format(*max(glibc(path) for path in libraries)) + plain[len("linux_"):]
