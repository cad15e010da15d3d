#!/bin/sh
# run.sh FOLDER: everything that is measured, into the terminal. FOLDER is a build with ODIM_BENCH=ON. The tables that
# are checked in are made from this output: bench/ACCURACY.md by `FOLDER/bench/accuracy --markdown`.
set -eu
programs=$1/bench

echo '## Multiplies at the shapes of training'
echo
if [ -x "$programs/kernels" ]; then "$programs/kernels"; else echo 'skipped: no OpenBLAS'; fi
echo
echo '## Accuracy on labelled tables'
echo
"$programs/accuracy"
echo
echo '## Against other programs'
echo
bench/peers/run.sh "$1/odim" --odim='--preset paper'
echo
echo '## How time grows'
echo
"$programs/scaling" | tee "$programs/scaling.tsv"
"$programs/scaling_plot" <"$programs/scaling.tsv" >"$programs/scaling.svg"
echo "drawn: $programs/scaling.svg"
echo
echo '## Memory'
echo
"$programs/memory" "$1/odim"
