# Data frames, matrices and files: what each column means, and which errors name it.
library(odim)

fails <- function(expr, pattern, class = "odim_error") {
  caught <- tryCatch({ expr; NULL }, error = identity)
  if (!inherits(caught, class) || !grepl(pattern, conditionMessage(caught), fixed = TRUE))
    stop("expected an error with '", pattern, "', not: ", if (is.null(caught)) "none" else conditionMessage(caught))
}
fit <- function(x, ...) odim(x, method = "hbos", threads = 2, ...)
types <- function(x, ...) { m <- fit(x, ...); setNames(m$columns$type, m$columns$name) }

set.seed(1)
n <- 200
d <- data.frame(
  number = round(rnorm(n), 3), whole = sample(100L, n, TRUE), level = factor(sample(c("x", "y", "z"), n, TRUE)),
  order = factor(sample(1:3, n, TRUE), ordered = TRUE), day = as.Date("2024-01-01") + sample(365, n, TRUE),
  time = as.POSIXct("2024-01-01", tz = "UTC") + sample(1e6, n), truth = sample(c(TRUE, FALSE, NA), n, TRUE),
  word = sample(c("red", "green", "blue"), n, TRUE), stringsAsFactors = FALSE)
d$number[3] <- NA
d$whole[4] <- NA
d$level[5] <- NA
d$day[6] <- NA
d$time[7] <- NA
d$word[8] <- NA
d$number[7] <- 60

# Types, missing cells and ranges.
m <- fit(d)
stopifnot(identical(m$columns$type, c("numeric", "numeric", "categorical", "categorical", "time", "time", "boolean",
                                      "categorical")))
stopifnot(identical(m$columns$missing, c(1, 1, 1, 0, 1, 1, sum(is.na(d$truth)), 1)))
stopifnot(identical(m$columns$levels[c(3, 4, 8)], c(3, 3, 3)))
stopifnot(identical(m$columns$low[5], format(min(d$day, na.rm = TRUE))))
stopifnot(identical(m$columns$low[7], "false"), identical(m$columns$high[7], "true"))
stopifnot(which.max(m$scores) == 7, m$outlier[7], is.null(names(m$scores)))

# Other classes of the same values, and other kinds of frames, give the same scores.
e <- d
e$time <- as.POSIXlt(e$time)
e$word <- factor(e$word)
e$whole <- as.double(e$whole)
class(e) <- c("tbl_df", "tbl", "data.frame")
stopifnot(identical(fit(e)$scores, m$scores))
away <- d
attr(away$time, "tzone") <- "America/New_York" # the same moments
stopifnot(identical(fit(away)$scores, m$scores))
apart <- data.frame(gap = as.difftime(c(1:60, 500), units = "mins"), b = rep(1:2, length.out = 61))
stopifnot(identical(fit(apart)$scores, fit(data.frame(gap = 60 * c(1:60, 500), b = apart$b))$scores))

# Texts of other encodings are the same texts.
latin <- sample(c("Z\xfcrich", "Bern"), n, TRUE)
Encoding(latin) <- "latin1"
u <- data.frame(a = d$number, city = latin, stringsAsFactors = FALSE)
v <- u
v$city <- enc2utf8(latin)
stopifnot(identical(fit(u)$scores, fit(v)$scores), any(grepl("Z\u00fcrich", explain(fit(u), u, rows = 1:9)$text)))

# Texts are read as in a file; factors are not.
codes <- data.frame(a = d$number[-3], zip = rep(c("01067", "80331", "20095"), length.out = n - 1))
codes$date <- rep(c("2024-05-01", "2024-05-02"), length.out = n - 1)
stopifnot(types(codes)["date"] == "time")
codes$date <- factor(codes$date)
stopifnot(types(codes)["date"] == "categorical")

# Columns that name the rows.
named <- cbind(id = sprintf("K%04d", seq_len(n)), d, stringsAsFactors = FALSE)
stopifnot(identical(names(fit(named)$scores), named$id), identical(unname(fit(named)$scores), m$scores))
stopifnot(any(grepl("id", fit(named)$notes)))
stopifnot(identical(names(fit(d, id = "word")$scores), d$word), !"word" %in% fit(d, id = "word")$columns$name)
running <- cbind(no = seq_len(n), d[c("number", "level")])
stopifnot(!"no" %in% fit(running)$columns$name, "no" %in% fit(running, id = FALSE)$columns$name)
row.names(running) <- paste0("r", seq_len(n))
stopifnot(identical(names(fit(running)$scores), row.names(running)))
stopifnot(identical(fit(d, ignore = c("word", "day"))$scores, fit(d[setdiff(names(d), c("word", "day"))])$scores))
stopifnot(identical(fit(d, ignore = 1)$columns$name, names(d)[-1]))

# Matrices: by name if both have names, else by position.
x <- matrix(round(rnorm(600), 3), ncol = 3)
x[9, ] <- c(9, 9, NA)
plain <- fit(x)
stopifnot(identical(plain$columns$name, c("x1", "x2", "x3")), which.max(plain$scores) == 9)
y <- x
colnames(y) <- c("a", "b", "c")
titled <- fit(y)
stopifnot(identical(titled$scores, plain$scores), identical(predict(titled, y[, 3:1]), plain$scores))
stopifnot(identical(predict(titled, x), plain$scores), identical(predict(titled, as.data.frame(y)), plain$scores))
stopifnot(identical(predict(titled, y[9, , drop = FALSE]), plain$scores[9]))
counts <- matrix(rpois(300, 5), ncol = 3)
stopifnot(is.integer(counts), identical(fit(counts)$scores, fit(counts + 0)$scores))
stopifnot(identical(fit(as.matrix(d[c("word", "level")]))$columns$type, rep("categorical", 2)))

# New rows are matched by name; other columns do not matter, missing ones do.
stopifnot(identical(predict(m, cbind(extra = 1, rev(d))), m$scores), identical(predict(m, d[0, ]), numeric()))
fails(predict(m, d[-2]), "whole")
new <- d[1:3, ]
new$level <- c("x", "unheard", NA)
stopifnot(length(predict(m, new)) == 3)

# Files.
file <- tempfile(fileext = ".csv")
write.csv(d, file, row.names = FALSE)
stopifnot(identical(fit(file, ignore = c("order", "time"))$scores, fit(d, ignore = c("order", "time"))$scores))
stopifnot(!"word" %in% fit(file, read = list(ignore = "word"))$columns$name)
stopifnot(fit(file, read = list(categorical = "whole"))$columns$type[2] == "categorical")
fails(fit(file, read = list(colour = "x")), "no option 'colour'", "error")
fails(fit(file, read = list(bad_rows = "x")), "\"skip\"", "error")
fails(fit(file, read = list("x")), "with names")
fails(fit(tempfile()), "No such file", "odim_file_error")
fails(fit(d, read = list(sheet = "1")), "for files")

# Errors name the column and the row.
d$bad <- d$number
d$bad[3] <- Inf
err <- tryCatch(fit(d), odim_data_error = identity)
stopifnot(grepl("row 3", conditionMessage(err)), grepl("'bad'", conditionMessage(err)), err$row == 3, err$column == 9)
d$bad <- as.list(seq_len(n))
fails(fit(d), "column 'bad' has values of the class 'list'")
d$bad <- matrix(0, n, 2)
fails(fit(d), "column 'bad' is not a vector")
d$bad <- complex(n)
fails(fit(d), "'complex'")
d$bad <- structure(double(n), class = "integer64")
fails(fit(d), "64 bits")
fails(fit(NULL), "not 'NULL'")
fails(fit(d[0, 1:3]), "at least one row")
fails(fit(d[1:3], ignore = "no such"), "no column 'no such'")
fails(fit(d[1:3], id = c("number", "whole")), "one column")
