"""The prototypes in _native.py are those of odim.h."""
import ctypes
import fnmatch
import os
import re
import shlex
import subprocess
import tempfile
import unittest
from ctypes import POINTER, c_char_p, c_double, c_int, c_int64, c_size_t, c_void_p
from pathlib import Path

from odim import _native

HEADER = Path(os.environ.get("ODIM_HEADER", Path(__file__).parents[2] / "include" / "odim.h"))

# What each C type is for ctypes. Handles, and arrays of numbers, are addresses.
TYPES = {
    "void": None, "int": c_int, "int64_t": c_int64, "size_t": c_size_t, "double": c_double, "odim_status": c_int,
    "odim_type": c_int, "odim_reason_kind": c_int, "odim_stage": c_int, "odim_hints": c_int,
    "const char *": c_char_p, "char *": c_char_p, "char [17]": c_char_p, "const char *const *": POINTER(c_char_p),
    "void *": c_void_p, "const void *": c_void_p, "void **": POINTER(c_void_p), "size_t *": POINTER(c_size_t),
    "const float *": c_void_p, "const double *": c_void_p, "double *": c_void_p, "const int8_t *": c_void_p,
    "const int64_t *": c_void_p, "int64_t *": POINTER(c_int64),
    "odim_error *": POINTER(_native.odim_error), "const odim_hooks *": POINTER(_native.odim_hooks),
    "const odim_column *const *": POINTER(POINTER(_native.odim_column)), "odim_column_info *": POINTER(_native.odim_column_info),
    "const odim_param_info *": POINTER(_native.odim_param_info), "const odim_explain_options *": POINTER(_native.odim_explain_options),
    "const odim_reason *": POINTER(_native.odim_reason),
    "const odim_privacy_info *": POINTER(_native.odim_privacy_info),
    "struct ArrowArrayStream *": POINTER(_native.ArrowArrayStream),
    "const odim_read_options *": POINTER(_native.odim_read_options),
}
for handle in ("table", "model", "params", "reasons", "scorer", "partial", "scan"):
    TYPES.update({f"odim_{handle} *": c_void_p, f"const odim_{handle} *": c_void_p,
                  f"odim_{handle} **": POINTER(c_void_p)})


def declarations():
    """name: (result, [arguments]) as texts, of every function of the header."""
    text = re.sub(r"/\*.*?\*/", "", HEADER.read_text(), flags=re.S)
    found = {}
    for result, name, arguments in re.findall(r"^ODIM_API\s+([^;(]*?)(odim_\w+)\(([^;]*)\);", text, flags=re.M):
        arguments = [] if arguments.strip() == "void" else [of_argument(a) for a in arguments.split(",")]
        found[name] = (" ".join(result.split()), arguments)
    return found


def of_argument(text):
    """The type in "const char *name"."""
    text = " ".join(text.split())
    array = re.fullmatch(r"(.*?)\w+(\[\d+\])", text)
    return array.group(1) + array.group(2) if array else re.sub(r"\w+$", "", text).strip()


def compiled(lines):
    """The numbers that C expressions have."""
    body = "".join(f'printf("%lld\\n", (long long)({line}));\n' for line in lines)
    source = ('#include <stdio.h>\n#include <stddef.h>\n#include "odim.h"\n'
              f"int main(void)\n{{\n{body}return 0;\n}}\n")
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "program"
        subprocess.run([*shlex.split(os.environ.get("CC", "cc")), "-x", "c", "-", "-I", HEADER.parent, "-o", program],
                       input=source, text=True, check=True)
        output = subprocess.run([program], capture_output=True, text=True, check=True).stdout
        return [int(line) for line in output.split()]


class Functions(unittest.TestCase):
    def test_every_function_is_bound_or_said_not_to_be(self):
        declared = set(declarations())
        self.assertGreater(len(declared), 50)
        self.assertLessEqual(set(_native.FUNCTIONS), declared)
        named = {pattern: set(fnmatch.filter(declared, pattern)) for pattern in _native.NOT_BOUND}
        self.assertEqual([pattern for pattern, names in named.items() if not names], [], "there is none of that name")
        not_bound = set().union(*named.values())
        self.assertEqual(declared - set(_native.FUNCTIONS) - not_bound, set(), "neither bound nor said not to be")
        self.assertEqual(set(_native.FUNCTIONS) & not_bound, set(), "bound and said not to be")

    def test_every_bound_function_has_the_types_of_the_header(self):
        declared = declarations()
        for name, (result, arguments) in _native.FUNCTIONS.items():
            with self.subTest(name):
                want_result, want = declared[name]
                self.assertIs(result, TYPES[want_result], want_result)
                self.assertEqual(arguments, [TYPES[w] for w in want], want)

    def test_a_wrong_prototype_would_be_seen(self):
        self.assertEqual(declarations()["odim_score"][1][-2:], ["double *", "odim_error *"])
        self.assertEqual(declarations()["odim_param_count"], ("int", []))
        self.assertEqual(of_argument(" const char *const *names"), "const char *const *")
        self.assertEqual(of_argument("char out[17]"), "char [17]")

    def test_every_bound_function_is_used(self):
        folder = Path(_native.__file__).parent
        text = "".join(p.read_text() for p in folder.glob("*.py") if p.name != "_native.py")
        unused = [name for name in _native.FUNCTIONS if not re.search(rf"\b{name}\b", text)]
        self.assertEqual(unused, [])


class Structures(unittest.TestCase):
    def test_sizes_and_offsets(self):
        structures = [t for t in vars(_native).values() if isinstance(t, type) and issubclass(t, ctypes.Structure) and
                      t.__module__ == _native.__name__ and t is not _native.Sized]
        self.assertGreater(len(structures), 6)
        lines, want = [], []
        for s in structures:
            c_name = getattr(s, "c_name", s.__name__)
            if not getattr(s, "is_part", False):
                lines.append(f"sizeof({c_name})")
                want.append(ctypes.sizeof(s))
            for name, _ in s._fields_:
                field = getattr(s, name)
                lines += [f"offsetof({c_name}, {name})", f"sizeof((({c_name} *)0)->{name})"]
                want += [field.offset, field.size]
        self.assertEqual(dict(zip(lines, want)), dict(zip(lines, compiled(lines))))

    def test_enumerations(self):
        names = ["OK", "ERR_NOMEM", "ERR_IO", "ERR_FORMAT", "ERR_DATA", "ERR_PARAM", "ERR_CANCELLED", "ERR_SYSTEM",
                 "NUMERIC", "BOOLEAN", "CATEGORICAL", "TIME", "STAGE_FITTING", "STAGE_SCORING", "STAGE_EXPLAINING",
                 "STAGE_READING", "HINTS_NONE"]
        self.assertEqual([getattr(_native, n) for n in names], compiled([f"ODIM_{n}" for n in names]))


if __name__ == "__main__":
    unittest.main()
