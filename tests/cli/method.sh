# Classical detectors in the place of networks: every one by every way, and what they refuse.
. "$(dirname "$0")/lib.sh"

make_table 300 >data.csv
make_mixed 200 >mixed.csv

for method in iforest knn lof mcd pca hbos ecod copod ocsvm cblof loda cof sod bagging; do
    FIT="--id name --label fault --method $method"
    expect_same_by_every_way 0.98 --method $method

    # ---- what is in it, and what it says
    run inspect model.odim
    expect_exit 0
    expect_match out "^parameters: method=$method scale=minmax"
    run inspect model.odim --json
    expect_exit 0
    expect_match out "\"method\": *\"$method\""
    expect_match out '"members": \[\]'
    run explain -m model.odim data.csv --id name --row 25
    expect_exit 0
    expect_match out '^ *[0-9]+ %  [ac] '
    run detect data.csv $FIT --json --explain 2 --report report.html
    expect_exit 0
    expect_match out "\"method\": *\"$method\""
    expect_match report.html "$method"
    expect 'no section about learning' sh -c '! grep -q "id=.learning" report.html'
    run report want.csv -m model.odim --data data.csv --id name -o report.html
    expect_exit 0

    # ---- types, gaps, levels that are new; one column; two rows; the view
    run detect mixed.csv --id name --method $method --explain 1 --save-model mixed.odim
    expect_exit 0
    run explain -m mixed.odim mixed.csv --id name --row 40
    expect_exit 0
    expect_match out '%  (size|job) '
    cut -d, -f1,2 data.csv >one.csv
    run detect one.csv --id name --method $method --top 1
    expect_exit 0
    sed 3q data.csv >two.csv
    run detect two.csv --id name --method $method
    expect_exit 0
    run detect data.csv --id name --method $method --transform log-pca --explain 1 --save-model soft.odim
    expect_exit 0
    cut -d, -f1-3 out >want
    run score -m soft.odim data.csv --id name --quiet
    cut -d, -f1-3 out >got
    expect_same got want
done

# ---- samples of many rows

make_table 4200 >many.csv
run detect many.csv --id name --method ocsvm --seed 5 --save-model many.odim --label fault
expect_exit 0
expect_match err '^odim: note: ocsvm learns from 4096 rows of 4200, chosen by the seed; all rows are scored$'
cp out want
run detect many.csv --id name --method ocsvm --seed 5 --threads 3 --label fault --quiet
expect_same out want
run fit many.csv --id name --method ocsvm --seed 5 --label fault -o again.odim
expect_exit 0
expect_same again.odim many.odim
run detect many.csv --id name --method loda --label fault
expect 'no note about rows' sh -c '! grep -q "learns from" err'

# ---- beside networks

run detect data.csv --id name $FAST --transform log-pca --with subsample-knn,iforest@transform:0.5,iforest:2 --explain 1 --save-model beside.odim
expect_exit 0
cut -d, -f1-3 out >want
run score -m beside.odim data.csv --id name --quiet
cut -d, -f1-3 out >got
expect_same got want
run inspect beside.odim
expect_match out ' with=subsample-knn,iforest@transform:0.5,iforest:2 '
run detect data.csv --id name $FAST --with cof,sod:0.5,ocsvm --references 5 --neighbors 8 --nu 0.3 --explain 1 --save-model beside.odim
expect_exit 0
cut -d, -f1-3 out >want
run score -m beside.odim data.csv --id name --quiet
cut -d, -f1-3 out >got
expect_same got want
run inspect beside.odim
expect_match out ' with=cof,sod:0.5,ocsvm .*neighbors=8 .*nu=0.3 .*references=5 '

# ---- what is refused

refuse 2 "--method must be one of odim|iforest|knn|lof|mcd|pca|hbos|ecod|copod|ocsvm|cblof|loda|cof|sod|bagging, not 'svm'" detect data.csv --id name --method svm
for wrong in svm mcd, ,mcd mcd,mcd mcd: mcd:0 mcd:x mcd@soft subsample-knn,iforest,iforest@transform,subsample-knn@transform; do
    refuse 2 "--with must be none, or up to 3 different ones of subsample-knn, iforest, knn, lof, mcd, pca, hbos, ecod, copod, ocsvm, cblof, loda, cof, sod and bagging, with commas between, each with @transform and a weight from 1e-06 to 1000 or without, such as subsample-knn,iforest@transform:0.5; not '$wrong'" detect data.csv --id name --with "$wrong"
done
refuse 2 'iforest@transform is of no use with transform none' detect data.csv --id name --preset paper --with iforest@transform
refuse 2 'preset is of no use with method iforest' detect data.csv --id name --method iforest --preset fast
for option in 'members 3' 'samples 5' 'score-samples 3' 'score-pool 9' 'with pca' 'model flow' 'hidden 8' 'batch 32' 'lr 0.1' 'known-weight 2'; do
    refuse 2 "${option% *} is of no use with method iforest" detect data.csv --id name --method iforest --$option
done
refuse 2 'method iforest cannot be fitted with privacy: leave out dp-epsilon' detect data.csv --id name --method iforest --dp-epsilon 1
refuse 2 'trees is of no use without iforest' detect data.csv --id name --trees 3
refuse 2 'tree-sample is of no use without iforest' detect data.csv --id name --tree-sample 3
refuse 2 'neighbors is of no use without knn, lof, cof, sod, bagging or trusted-fraction' detect data.csv --id name --preset paper --neighbors 3
for option in 'nu 0.3:ocsvm' 'gamma 2:ocsvm' 'clusters 3:cblof' 'projections 9:loda' 'bins 5:loda' 'references 3:sod' 'bags 2:bagging'; do
    value=${option%:*}
    refuse 2 "${value% *} is of no use without ${option#*:}" detect data.csv --id name --$value
    refuse 2 "${value% *} is of no use with method knn" detect data.csv --id name --method knn --$value
    run detect data.csv --id name --method ${option#*:} --$value --save-model set.odim
    expect_exit 0
    run inspect set.odim
    expect_match out "^parameters: .*${value% *}=${value#* }( |\$)"
done
for wrong in 'nu 0' 'nu 1.1' 'gamma 0' 'clusters 0' 'projections 0' 'bins 1' 'references 0' 'bags 0' 'bags 1001'; do
    run detect data.csv --id name --$wrong
    expect_exit 2
    expect_match err "${wrong% *} must be a"
done
refuse 2 'neighbors is of no use with method iforest' detect data.csv --id name --method iforest --neighbors 3
refuse 2 'method iforest is not trained: there is nothing to trace' trace data.csv --id name --method iforest
refuse 2 'method iforest does not learn from known outliers' detect data.csv --id name --known-outliers fault --method iforest

finish
