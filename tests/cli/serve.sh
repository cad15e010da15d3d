# odim serve: its options, and a server that is talked to by tests/serve_client.py: responses, limits, faults.
. "$(dirname "$0")/lib.sh"

run serve extra.csv
expect_exit 2
expect_stderr "odim: serve takes no file, but got 'extra.csv'; --models DIR is the folder of models"
run serve --port 70000
expect_exit 2
expect_stderr "odim: --port must be a number from 0 to 65535, not '70000'"
run serve --max-upload much
expect_exit 2
expect_stderr "odim: --max-upload must be a size such as 500M or 2G, not 'much'"
run serve --listen 0.0.0.0
expect_exit 2
expect_stderr 'odim: --listen 0.0.0.0 lets other machines in, which needs --token-file FILE'
run serve --listen nowhere --token-file none
expect_exit 1
expect_stderr 'odim: none: cannot open: No such file or directory'
run serve --listen 127.x
expect_exit 1
expect_stderr "odim: --listen must be an address of this machine, such as 127.0.0.1 or 0.0.0.0, not '127.x'"
run serve --models none
expect_exit 1
expect_stderr 'odim: none: not a folder of models that can be read'

if ! command -v python3 >/dev/null; then
    skip 'no python3: the server is not talked to'
    finish
fi
mkdir models
python3 - >data.csv <<'END'
import random
random.seed(3)
print("a,b,c,city,open")
for i in range(6000):
    a = random.gauss(0, 1)
    b = 2 * a + random.gauss(0, 0.1) + 5 * (i % 500 == 77)
    print(f"{a:.4f},{b:.4f},{random.expovariate(1):.3f},{random.choice(['Rome', 'Oslo', 'Bonn'])},{random.choice(['yes', 'no'])}")
END
# shellcheck disable=SC2086
run fit data.csv -o models/model.odim --preset fast --members 2 -q
expect_exit 0
run_sh "python3 '$test_dir/../serve_client.py' '$ODIM' '$PWD'"
grep -v ' passed, ' out
expect 'the server answers as it should' [ "$code" = 0 ]
finish
