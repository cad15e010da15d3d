"""The parameters of the estimator are the library's."""
import inspect
import re
import unittest

import made
import numpy as np
from odim import ODIM, ParamError, _native
from odim._params import PARAMETERS, RENAMED, Params, to_text


class Parameters(unittest.TestCase):
    def test_signature_is_the_list_of_the_library(self):
        listed = [_native.lib.odim_param_at(i).contents.name.decode() for i in range(_native.lib.odim_param_count())]
        own = list(inspect.signature(ODIM).parameters)
        self.assertEqual(own, [RENAMED.get(n, n.replace("-", "_")) for n in listed] + ["progress", "random_state", "n_jobs"])
        self.assertEqual(own, list(ODIM().get_params()))

    def test_the_command_has_the_same(self):
        config = made.command("detect", "--init-config")
        for p in PARAMETERS:
            self.assertRegex(config, rf"(?m)^# *{re.escape(p.flag)} *= *")

    def test_no_parameter_hides_a_method(self):
        for name in ODIM().get_params():
            self.assertFalse(hasattr(ODIM, name), name)

    def test_defaults_are_the_library_s(self):
        mine, plain = ODIM()._params(), Params({})
        for p in PARAMETERS:
            self.assertEqual(mine.get(p.flag), plain.get(p.flag), p.flag)

    def test_what_a_preset_changes_has_no_default_here(self):
        by_name = {p.name: p for p in PARAMETERS}
        self.assertIsNone(by_name["members"].default)
        self.assertEqual(by_name["members"].library, 6)
        self.assertEqual(by_name["seed"].default, 0)
        fast, chosen = ODIM(preset="fast")._params(), ODIM(preset="fast", members=10)._params()
        self.assertEqual((fast.get("members"), chosen.get("members")), ("6", "10"))

    def test_private_training_starts_from_settings_of_its_own(self):
        mine, library = ODIM(dp_epsilon=3)._params(), Params({"dp-epsilon": 3})
        for p in PARAMETERS:
            self.assertEqual(mine.get(p.flag), library.get(p.flag), p.flag)

    def test_values_of_every_kind(self):
        p = ODIM(seed=2**64 - 1, hidden=[32, 16], batch_norm=False, lr=1e-4, contamination=0.25, members=np.int64(3),
                 weight_decay=np.float32(0.5), scale="none", threads=None, scoring_samples="auto")._params()
        got = {n: p.get(n) for n in ("seed", "hidden", "batch-norm", "lr", "contamination", "members", "weight-decay",
                                     "scale", "threads")}
        self.assertEqual(got, {"seed": "18446744073709551615", "hidden": "32,16", "batch-norm": "off", "lr": "0.0001",
                               "contamination": "0.25", "members": "3", "weight-decay": "0.5", "scale": "none",
                               "threads": "auto"})
        self.assertEqual(to_text((1, 2.5, True)), "1,2.5,on")

    def test_zero_byte(self):
        for bad in ({"scale": "none\0?"}, {"members": "3\0"}, {"hidden": ["8", "4\0"]}):
            with self.subTest(bad), self.assertRaisesRegex(ValueError, "zero byte"):
                ODIM(**bad).fit(made.numbers())

    def test_wrong_values(self):
        x = made.numbers()
        for bad in ({"members": 0}, {"members": "many"}, {"scale": "huge"}, {"contamination": 0.6},
                    {"lr": float("nan")}, {"seed": -1}):
            with self.subTest(bad), self.assertRaises(ParamError) as caught:
                ODIM(**bad).fit(x)
            self.assertIn(next(iter(bad)), str(caught.exception))
        with self.assertRaises(TypeError):
            ODIM(member=3)
        with self.assertRaises(ValueError):
            ODIM().set_params(member=3)

    def test_help_is_in_the_docstring(self):
        for p in PARAMETERS:
            self.assertIn(f"{p.name} : {p.kind}", ODIM.__doc__)

    def test_repr(self):
        self.assertEqual(repr(ODIM(seed=3, preset="fast")), "ODIM(preset='fast', seed=3)")
        self.assertEqual(repr(ODIM()), "ODIM()")


if __name__ == "__main__":
    unittest.main()
