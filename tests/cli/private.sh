# Private fitting: bounds from a file or from the rows, what is said of the guarantee, and what is refused.
. "$(dirname "$0")/lib.sh"

awk 'BEGIN {
    print "id,amount,color,day,paid,junk"
    for (i = 1; i <= 600; i++) {
        odd = i % 100 == 8
        print i "," (odd ? 400 : 30 + i * 37 % 41) "," (odd ? "black" : i % 3 ? "red" : "green") \
            sprintf(",2024-%02d-%02d", 1 + i % 12, 1 + i % 28) "," (i % 2 ? "yes" : "no") "," i % 7
    }
}' >data.csv
printf 'column,low,high,levels\namount,0,200,\ncolor,,,red|green|blue\nday,2024-01-01,2024-12-31,\npaid,,,\n' >bounds.csv
cut -d, -f1,2,6 data.csv >numbers.csv
DP='--dp-epsilon 8 --dp-updates 20 --samples 4 --dp-insecure-seed on'
covers='odim: note: this covers the model file and what is made from it; not covered are the number of rows, and the choice of columns and settings'
insecure='odim: note: dp-insecure-seed is on: there is no privacy against anyone who knows the seed, and it is in the model file'

# ---- with bounds

run fit data.csv --id id --dp-bounds bounds.csv $DP -o model.odim
expect_exit 0
expect_stdout
expect_wrote model.odim
expect_stderr "odim: note: column 'junk' is not in the bounds: ignored" \
    'odim: note: the model is differentially private, epsilon 7.9993 and delta 1e-05 for all of it: one row more or less changes the probability of any model by a factor of at most e^7.9993, plus 1e-05' \
    'odim: note: 20 updates of 1 member, each row in one with probability 0.4267, noise 1.496, clipping norm 1; bounds given, scores counted (noise 4.968)' \
    "$covers" "$insecure"
run inspect model.odim
expect_exit 0
expect_match out '^private: epsilon 7\.9993, delta 1e-05, with respect to one row more or less, but not against anyone who knows the seed$'
expect_match out '^  20 updates of 1 member, each row in one with probability 0\.4267, noise 1\.496, clipping norm 1; bounds given, scores counted \(noise 4\.968\)$'
expect_match out '^amount  numeric            0         1                  0 to 200  0 to 200$'
expect_match out '^color   categorical        0         4                         -  3 levels: blue, green, red$'
run inspect model.odim --json
expect_match out '"privacy": *\{'
expect_match out '"bounds": *"given"'
expect_match out '"insecure_seed": *true'
expect 'no level of the rows is in the model' run_sh '! grep -q black model.odim'
expect_exit 0

# The same scores from the model and from detect; the rows that were put there are on top.
run detect data.csv --id id --dp-bounds bounds.csv $DP --save-model again.odim
expect_exit 0
expect_same again.odim model.odim
expect_match err '^odim: note: this covers the model file \(--save-model\) and what is made from it; not covered are the scores, ranks and reasons of these rows, their number, and the choice of columns and settings$'
cp out scores
run score -m model.odim data.csv --id id -q
expect_same out scores
awk -F, '$4 <= 6 { print $1 }' scores >top
printf '%s\n' 8 108 208 308 408 508 >want
expect_same top want
run detect data.csv --id id --dp-bounds bounds.csv $DP --top 1 --explain 2 -q
expect_match out 'amount 400 .*: expected about [0-9.]+, bounds 0 to 200'
expect_match out "color 'black' .*: not among its levels$"
run detect data.csv --id id --dp-bounds bounds.csv $DP --json -q
expect_match out '"covers": *"the model, not the scores of the rows it was fitted on"'

# ---- without

run fit numbers.csv --id id $DP -o model.odim
expect_exit 0
expect_match err '; bounds counted, scores counted \(noise 4\.968\)$'
run inspect model.odim --json
expect_match out '"bounds": *"counted"'
run fit numbers.csv --id id --dp-epsilon 0.5 --dp-updates 5 --samples 2 -o model.odim
expect_exit 0
expect_match err '^odim: note: too few rows for this dp-epsilon to count their scores privately: threshold and probabilities come from synthetic rows and say little; ranks are not affected$'
expect_match err '; bounds counted, scores not looked at \(noise [0-9.]+\)$'
run fit numbers.csv --id id --dp-epsilon 0.5 --dp-updates 5 --samples 2 -o other.odim -q
expect_exit 0
expect_stderr
expect 'no two private models are alike' run_sh '! cmp -s model.odim other.odim'

# ---- what cannot be

run fit data.csv --id id $DP -o no.odim
expect_exit 1
expect_stderr "odim: data.csv: column 'color' is a category, whose levels must be public for a private fit: give them in a file of bounds, a CSV with the head column,low,high,levels and a line such as color,,,red|green|blue (--dp-bounds)"
expect 'nothing is written' test ! -e no.odim
run detect data.csv --id id --dp-bounds bounds.csv
expect_exit 2
expect_stderr 'odim: --dp-bounds is for a private fit: --dp-epsilon'
run detect data.csv --id id --dp-bounds bounds.csv --ignore junk $DP
expect_exit 2
expect_stderr 'odim: the bounds say which columns are used and what they are: ignore, only, numeric, categorical, types and a model cannot'
run detect data.csv --id id --dp-bounds bounds.csv $DP --stream
expect_exit 2
expect_stderr 'odim: a private fit (dp-epsilon) needs all rows in memory: it cannot be streamed'
run detect data.csv --id id --dp-bounds bounds.csv $DP --batch-norm on -q
expect_exit 2
echo 5 >known
run detect data.csv --id id --dp-bounds bounds.csv $DP --known-rows known -q
expect_exit 2
expect_stderr 'odim: a private fit (dp-epsilon) cannot learn from known outliers: they would not be protected'
printf 'column,low,high,levels\namount,0,zero,\n' >wrong.csv
run fit data.csv --dp-bounds wrong.csv $DP -o no.odim
expect_exit 1
expect_stderr "odim: wrong.csv: row 1 (line 2), column 'high': not a number: 'zero'"
printf 'column,low,high,levels\namuont,0,1,\n' >wrong.csv
run fit data.csv --dp-bounds wrong.csv $DP -o no.odim
expect_exit 1
expect_stderr "odim: data.csv: the bounds name column 'amuont', which is not there"

finish
