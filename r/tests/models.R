# Models: predictions, reasons, saving, seeds, parameters, interrupts and what is printed.
library(odim)

fails <- function(expr, pattern, class = "error") {
  caught <- tryCatch({ expr; NULL }, error = identity)
  if (!inherits(caught, class) || !grepl(pattern, conditionMessage(caught), fixed = TRUE))
    stop("expected an error with '", pattern, "', not: ", if (is.null(caught)) "none" else conditionMessage(caught))
}
shows <- function(expr, ...) {
  text <- paste(capture.output(expr), collapse = "\n")
  for (pattern in c(...)) if (!grepl(pattern, text, fixed = TRUE)) stop("'", pattern, "' is not in:\n", text)
}

set.seed(2)
n <- 300
d <- data.frame(a = rnorm(n), b = rnorm(n), kind = sample(c("x", "y"), n, TRUE), stringsAsFactors = TRUE)
d$a[11] <- 40
d$kind[12] <- NA
m <- odim(d, preset = "fast", threads = 2)

# What a prediction is.
stopifnot(inherits(m, "odim"), m$rows == n, m$seed == 0, identical(predict(m, d), m$scores), identical(predict(m), m$scores))
stopifnot(identical(predict(m, type = "outlier"), m$scores > m$threshold), m$outlier[11], sum(m$outlier) < 10)
p <- predict(m, d, type = "probability", threads = 1)
stopifnot(identical(p, m$probability), all(p >= 0 & p <= 1), p[11] > 0.5, identical(order(p), order(m$scores)))
frame <- predict(m, d, type = "frame")
stopifnot(identical(names(frame), c("score", "rank", "p_outlier", "is_outlier")), frame$rank[11] == 1)
stopifnot(identical(sort(frame$rank), as.double(seq_len(n))), nrow(predict(m, d[0, ], type = "frame")) == 0)
stopifnot(!identical(predict(m, d, type = "raw"), m$scores), length(predict(m, d[5, ])) == 1)
fails(predict(m, d, type = "nonsense"), "should be one of")
fails(predict(m, type = "raw"), "newdata")

# Seeds: the same one gives the same bits, and R's generator is left alone unless it is asked.
set.seed(5)
before <- .Random.seed
stopifnot(identical(odim(d, preset = "fast", threads = 1)$scores, m$scores), identical(.Random.seed, before))
other <- odim(d, preset = "fast", threads = 2, seed = 7)
stopifnot(!identical(other$scores, m$scores), identical(other$params[["seed"]], "7"))
set.seed(5)
drawn <- odim(d, method = "iforest", seed = NULL)
set.seed(5)
stopifnot(identical(odim(d, method = "iforest", seed = NULL)$scores, drawn$scores), drawn$seed > 0)

# Reasons.
r <- explain(m, d, rows = c(11, 3), top = 2)
stopifnot(identical(names(r), c("row", "column", "share", "value", "expected", "kind", "text")))
stopifnot(r$row[1] == 11, r$column[1] == "a", r$value[1] == "40", r$kind[1] == "value", r$share[1] > 0.5, all(table(r$row) <= 2))
stopifnot(grepl("a 40 (", r$text[1], fixed = TRUE), setequal(unique(explain(m, d)$row), which(m$outlier)))
stopifnot(identical(explain(m, d, rows = seq_len(n) == 11, top = 2)$text, r$text[r$row == 11]))
stopifnot(is.na(subset(explain(m, d, rows = 12), column == "kind")$value))
titled <- d
row.names(titled) <- paste0("r", seq_len(n))
stopifnot(identical(explain(m, titled, rows = "r11", top = 1)$label, "r11"), nrow(explain(m, d[1:3, ], rows = integer())) == 0)
fails(explain(m, d, rows = n + 1), "no row '301'")
fails(explain(m, titled, rows = "x"), "no row 'x'")
fails(explain(m, d, rows = TRUE), "1 entries")
fails(explain(m, d, rows = 1, top = 0), "'top'")

# One call.
v <- odim_detect(d, preset = "fast", threads = 2)
stopifnot(is.data.frame(v), identical(v$score, m$scores), grepl("a 40", v$reasons[11]), v$reasons[which.min(v$score)] == "")
shows(print(v), "in 300 rows", "11  score", "    a 40 (")
shows(print(v[c("score", "rank")]), "score rank")
stopifnot(all(odim_detect(d, method = "hbos", explain = 0)$reasons == ""))

# Saving: model files, R's own files, bytes.
file <- tempfile(fileext = ".odim")
odim_save(m, file)
back <- odim_load(file)
stopifnot(identical(predict(back, d), m$scores), identical(back$fingerprint, m$fingerprint), is.null(back$scores))
stopifnot(identical(readBin(file, "raw", 1e7), m$bytes), identical(predict(odim_load(m$bytes), d), m$scores))
fails(predict(back), "newdata")
rds <- tempfile()
saveRDS(m, rds)
again <- readRDS(rds)
stopifnot(identical(again$scores, m$scores), identical(predict(again, d), m$scores), identical(explain(again, d), explain(m, d)))
two <- unserialize(serialize(list(m, m), NULL))
stopifnot(identical(predict(two[[1]], d), predict(two[[2]], d)))
writeBin(as.raw(1:100), rds)
fails(odim_load(rds), "not", "odim_format_error")
fails(odim_load(tempfile()), "No such file", "odim_file_error")
fails(odim_load(m$bytes[1:99]), "", "odim_format_error")
fails(odim_save(m, file.path(tempfile(), "x.odim")), "No such file", "odim_file_error")

# Parameters come from the library.
params <- odim_params()
stopifnot(all(c("seed", "preset", "members", "check-every") %in% params$name), params$default[params$name == "seed"] == "0")
stopifnot(identical(odim(d, preset = "fast", members = 2, check_every = 5, threads = 2)$params[["members"]], "2"))
few <- odim(d, method = "hbos", contamination = 0.05)
stopifnot(abs(sum(few$outlier) - 15) <= 1, few$params[["contamination"]] == "0.05")
fails(odim(d, memberz = 3), "no parameter 'memberz'", "odim_parameter_error")
fails(odim(d, members = -1), "members", "odim_parameter_error")
fails(odim(d, "fast"), "by name")
stopifnot(identical(odim(d, method = "hbos", members = NULL)$scores, odim(d, method = "hbos")$scores))

# What is known beforehand.
known <- rep(NA, n)
known[11] <- TRUE
learned <- odim(d, preset = "fast", known = known, threads = 2)
stopifnot(!identical(learned$scores, m$scores))
fails(odim(d, known = TRUE), "1 entries", "odim_data_error")
fails(odim(d, known = rep(2, n)), "NA if unknown", "odim_data_error")

# Progress, errors in it, stopping and interrupts. The library calls back at least once in each of these fits.
x <- matrix(rnorm(2e4), ncol = 10)
stages <- character()
slow <- function(look) odim(x, preset = "paper", threads = 2, progress = look)
fails(slow(function(stage, fraction) TRUE), "cancelled", "odim_cancelled_error")
fails(slow(function(stage, fraction) { stages <<- c(stages, stage); stop("in the callback") }), "in the callback")
stopifnot(identical(stages, "fitting"))
if (.Platform$OS.type == "unix") {
  ended <- tryCatch(slow(function(stage, fraction) { tools::pskill(Sys.getpid(), tools::SIGINT); Sys.sleep(5); FALSE }),
                    interrupt = function(e) "interrupted")
  stopifnot(identical(ended, "interrupted"))
}
# And it works after that, also with external pointers collected.
invisible(gc())
stopifnot(identical(odim(d, preset = "fast", threads = 2)$scores, m$scores))
if (.Platform$OS.type == "unix") { # in a process that R has forked
  child <- parallel::mclapply(1:2, function(i) odim(d, preset = "fast", threads = 2)$scores, mc.cores = 2)
  stopifnot(identical(child, list(m$scores, m$scores)))
}

# What is printed and plotted.
shows(print(m), "odim model: 300 rows, 3 columns, preset fast, seed 0", "outlier", "row score p_outlier")
shows(print(back), "loaded from a file")
shows(print(summary(m)), m$fingerprint, "Columns:", "categorical", "Median")
flat <- odim(cbind(d, unit = "kg"), method = "hbos")
stopifnot(any(grepl("unit", flat$notes)), grepl("constant", subset(flat$columns, name == "unit")$ignored))
shows(print(summary(flat)), "Notes:", "hbos")
pdf(NULL)
plot(m)
plot(m, "rows", main = "A title")
plot(odim(titled, method = "hbos"), which = "rows")
invisible(dev.off())
fails(plot(back), "no training scores")
stopifnot(grepl("^[0-9.]+$", odim_version()$library))
