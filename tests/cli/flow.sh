# A normalising flow in the place of the autoencoder: detect, fit, score, explain, stream, save and load.
. "$(dirname "$0")/lib.sh"

make_table 300 >data.csv
FLOW='--preset paper --model flow --members 3'

expect_same_by_every_way 0.99 $FLOW

# ---- what is in it

run inspect model.odim --json
expect_exit 0
expect_match out '"model": *"flow"'
run explain -m model.odim data.csv --id name --row 25
expect_exit 0
expect_golden explain-flow
run fit data.csv --id name --label fault --members 2 --max-updates 20 -o iwae.odim
run inspect iwae.odim --json
expect_match out '"model": *"iwae"'

run trace data.csv --id name --label fault $FLOW --length 60
expect_exit 0

# ---- one column; types; known outliers; the other preset

cut -d, -f1,2 data.csv >one.csv
run detect one.csv --id name $FLOW --top 1
expect_exit 0
make_mixed 200 >mixed.csv
run detect mixed.csv --id name $FLOW --preset fast --explain 1 --save-model mixed.odim
expect_exit 0
run explain -m mixed.odim mixed.csv --id name --row 40
expect_exit 0
expect_match out '%  size '
echo 25 >one
run detect data.csv --ignore name --label fault $FLOW --known-rows one
expect_exit 0
expect_match err '11 outliers of 299 rows that were not known'

# ---- what a flow has not

for option in '--samples 9' '--score-samples 9' '--score-pool 9' '--latent 3' '--batch-norm off' '--likelihood unit'; do
    name=${option%% *}
    refuse 2 "${name#--} is of no use with model flow" detect data.csv --id name --model flow $option
done
refuse 2 'flow-steps is of no use with model iwae' detect data.csv --id name --flow-steps 3
refuse 2 'model flow cannot be trained with privacy: leave out dp-epsilon' detect data.csv --id name --model flow --dp-epsilon 5
run detect data.csv --id name --ignore fault --model flow --members 3 --samples auto --max-updates 10 --top 1
expect_exit 0
refuse 2 "--model must be one of iwae|flow, not 'glow'" detect data.csv --id name --model glow

finish
