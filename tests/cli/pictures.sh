# A folder of pictures: the same scores as from an array, the grid of a model, and pictures that cannot be read.
. "$(dirname "$0")/lib.sh"

make=$(dirname "$ODIM")/tests/idx_pictures
[ -x "$make" ] || { skip 'idx_pictures is not built' && finish; }

# 40 pictures of 8 x 6 pixels, of which the 20th is not like the others.
awk 'BEGIN {
    srand(3)
    printf "\\0\\0\\010\\003\\0\\0\\0\\050\\0\\0\\0\\006\\0\\0\\0\\010"
    for (i = 1; i <= 40; i++)
        for (y = 0; y < 6; y++)
            for (x = 0; x < 8; x++) printf "\\%03o", i == 20 ? 255 * rand() : 15 * (x + y) + 20 * rand()
}' >octal
printf "$(cat octal)" >pictures.idx
mkdir photos jpegs
"$make" pictures.idx photos
"$make" pictures.idx jpegs jpeg

expect_count() # COUNT PATTERN FILE
{
    test "$(grep -oE "$2" "$3" | wc -l)" -eq "$1" || fail "$3: not $1 times: $2"
}

without_ids() # FILE
{
    sed 's/,[0-9]*\.png//; s/,id//' "$1"
}

# The same scores as from the array, with the names of the files.
run detect pictures.idx $FAST
expect_exit 0
cp out want.csv
run detect photos --pixels 8x6 $FAST
expect_exit 0
expect_match out '^1,00001.png,'
expect_match out '^40,00040.png,'
without_ids out >got.csv
expect_same want.csv got.csv
run detect photos/ --pixels 8x6 --id none $FAST
expect_same want.csv out
run detect pictures.idx --stream $FAST
cp out want.csv
run detect photos --pixels 8x6 --stream $FAST
expect_exit 0
without_ids out >got.csv
expect_same want.csv got.csv

# Other grids; JPEG; what is found.
for pixels in 1x1 3x5 16x16 8x6:color; do
    run detect photos --pixels $pixels $FAST
    expect_exit 0
done
run detect jpegs --pixels 8x6 --top 1 $FIND
expect_exit 0
expect_match out '^ *1 +20 +00020.jpg'

# The grid of a model; a model and an array.
run fit photos --pixels 8x6 -o photos.odim -q --seed 1 $FAST
expect_exit 0
run score -m photos.odim photos
expect_exit 0
cp out want.csv
run score -m photos.odim photos --pixels 8x6 --stream
expect_exit 0
run score -m photos.odim pictures.idx
expect_exit 0
without_ids want.csv >got.csv
expect_same out got.csv
run fit photos --pixels 4x3:color -o color.odim -q $FAST
expect_exit 0
run score -m color.odim jpegs
expect_exit 0
run score -m photos.odim photos --pixels 2x2
expect_exit 1

# Pictures that cannot be read.
head -c 70 photos/00003.png >photos/00002.png
echo text >photos/00000.jpg
refuse 1 'photos: row 1 (00000.jpg): it is neither PNG nor JPEG' detect photos --bad-rows stop
run score -m photos.odim photos --bad-rows skip
expect_exit 0
expect_match err '^odim: note: skipped: row 1 \(00000.jpg\): it is neither PNG nor JPEG$'
expect_match err '^odim: note: skipped: row 3 \(00002.png\): the PNG file is truncated$'
expect_match out '^2,00001.png,'
run score -m photos.odim photos --bad-rows call
expect_exit 0
expect_match out '^1,00000.jpg,.*,1$'
expect_match out '^3,00002.png,.*,1$'
run detect photos --bad-rows call --stream $FAST
expect_exit 0

# Real pictures: 300 of Fashion-MNIST as PNG files score as from their IDX file.
fashion=${ODIM_DATA:-$test_dir/../../../shared/data}/images/fashion/t10k-images-idx3-ubyte.gz
if [ -r "$fashion" ]; then
    mkdir fashion
    {
        printf '\0\0\010\003\0\0\001\054\0\0\0\034\0\0\0\034'
        gzip -dc "$fashion" | tail -c +17 | head -c $((300 * 784))
    } >fashion.idx
    "$make" fashion.idx fashion
    run detect fashion.idx $FIND
    expect_exit 0
    cp out want.csv
    run detect fashion --pixels 28x28 $FIND
    expect_exit 0
    without_ids out >got.csv
    expect_same want.csv got.csv
    run detect fashion --pixels 28x28 --stream $FIND
    expect_exit 0
    without_ids out >got.csv
    run detect fashion.idx --stream $FIND
    expect_same out got.csv
else
    skip 'no Fashion-MNIST (ODIM_DATA names the folder of the data)'
fi

# Reasons name parts of the picture, and a report shows the pictures: of 200 washers, 17 has no hole, 54 is chipped.
mkdir washers
"$(dirname "$make")/make_pictures" washers 200
run fit washers -o washers.odim -q --seed 1
expect_exit 0
run score -m washers.odim washers -o washers.csv --report washers.html --explain 1 -q
expect_exit 0
expect_match washers.csv '^17,part-017.png,.*,1,"center \([0-9]+ %\): brighter than expected, about [0-9]+ instead of [0-9]+"$'
expect_match washers.csv '^54,part-054.png,.*,1,"(upper )?left \([0-9]+ %\): darker than expected, about [0-9]+ instead of [0-9]+"$'
run explain -m washers.odim washers --row part-017.png --reasons 1
expect_exit 0
expect_match out '^share +part +value +expected +difference$'
expect_match out '^ *[0-9]+ % +center +[0-9]+ +[0-9]+ +brighter than expected$'
run explain -m washers.odim washers --row 17 --json
expect_exit 0
expect_match out '"part": "center",'
run report washers.csv -m washers.odim --data washers -o again.html -q
expect_exit 0
for page in washers.html again.html; do
    expect_match $page "; img-src data:; base-uri 'none'"
    # Three pictures for each of the 200 rows.
    expect_count 200 'data:image/[a-z]*;base64,[A-Za-z0-9+/=]*", "data:image/png;base64,[A-Za-z0-9+/=]*", "data:image/png;base64,[A-Za-z0-9+/=]*"' $page
done
run score -m washers.odim washers --id none --report bare.html -o bare.csv -q # only the grid is known
expect_exit 0
expect_count 200 '"pictures": \["data:image/png' bare.html
run detect pictures.idx $FAST --report plain.html -o plain.csv -q
expect_exit 0
expect_count 0 'data:image|img-src' plain.html

# Errors.
for option in sheet entry table sql; do
    refuse 2 "jpegs: it is a folder of pictures: $option does not apply" detect jpegs --$option x
done
mkdir none
refuse 1 'none: the folder has no pictures (.png, .jpg, .jpeg)' detect none
refuse 2 "jpegs: pixels must be columns x rows, each at most 256, such as 32x32 or 32x32:color, not '8'" \
    detect jpegs --pixels 8
finish
