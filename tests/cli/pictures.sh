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
refuse 1 'photos: row 1 (00000.jpg): it is neither PNG nor JPEG' detect photos
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

# Errors.
mkdir none
refuse 1 'none: the folder has no pictures (.png, .jpg, .jpeg)' detect none
refuse 2 "jpegs: pixels must be columns x rows, each at most 256, such as 32x32 or 32x32:color, not '8'" \
    detect jpegs --pixels 8
finish
