#!/bin/sh
# run.sh FOLDER: everything that is measured, into the terminal, as Markdown. FOLDER is a build with ODIM_BENCH=ON. It
# takes about two hours on two cores and wants the machine for itself. The tables that are checked in come from it:
# KERNELS.md, LEVELS.md, NEIGHBORS.md, ACCURACY.md (`accuracy --markdown`), and the rest in RESULTS.md. Four studies have commands of their
# own, named in TRADEOFF.md, NOISE.md, PYTHON.md and docs/REASONS.md; experiments/ repeats the paper's tables and figures.
set -eu
programs=$1/bench
failed=0 # what took too much memory; the rest is measured all the same

echo '## Multiplies at the shapes of training'
echo
"$programs/kernels"
echo
echo '## Levels of the kernels'
echo
"$programs/kernel_levels"
echo
echo '## How close to the machine'
echo
"$programs/rates" --threads 1
echo
"$programs/rates" --threads 2
echo
echo '## Accuracy on labelled tables'
echo
"$programs/accuracy"
echo
bench/peers/run.sh "$1/odim" --odim='--preset paper' --odim='--preset fast'
echo
echo '## Wide tables'
echo
bench/peers/run.sh "$1/odim" --odim='--preset auto' --odim='--preset fast' --peers IsolationForest --threads 2 \
    --sets mammography,pendigits,satellite,shuttle,cover,musk,arrhythmia_odds,InternetAds,ResNet18_CIFAR10_0,ViT_MVTec-AD_bottle
echo
"$programs/memory" "$1/odim" 2000 5000 --threads 2 || failed=1
echo
! python=$(bench/peers/python.sh) || "$python" -B bench/floor.py "$1/odim"
echo
echo '## How time grows'
echo
"$programs/scaling" | tee "$programs/scaling.tsv"
"$programs/scaling_plot" <"$programs/scaling.tsv" >"$programs/scaling.svg"
echo "drawn: $programs/scaling.svg"
echo
echo '## One row at a time'
echo
"$programs/single_row"
echo
echo '## Memory'
echo
"$programs/memory" "$1/odim" || failed=1
echo
"$programs/memory" "$1/odim" --wide --threads 2 --seconds 300 || failed=1
echo
echo '## A file larger than memory should be'
echo
"$programs/streaming" "$1/odim" || failed=1
echo
echo '## Reading on several threads'
echo
"$programs/csv_threads" 3000000 2
echo
echo '## The nearest rows'
echo
"$programs/nearest" 8192
echo
echo '## An update of private training'
echo
"$programs/private_step"
echo
echo '## Learning from marked rows'
echo
"$programs/learn" --sets cardio,landsat,letter,mnist,pendigits,satellite,thyroid,vowels
exit "$failed"
