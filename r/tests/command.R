# The same table and seed give the scores of the command, to the bit. Skipped unless ODIM_COMMAND names the command.
library(odim)
command <- Sys.getenv("ODIM_COMMAND")
if (!nzchar(command)) quit("no")

# The command writes scores as an array of 64-bit numbers: a header, whose length is at byte 9, and the values.
command_scores <- function(verb, ...) {
  out <- tempfile(fileext = ".npy")
  log <- system2(command, c(verb, ..., "--threads", "2", "-q", "-o", out), stdout = TRUE, stderr = TRUE)
  if (!file.exists(out)) stop(paste(log, collapse = "\n"))
  bytes <- readBin(out, "raw", file.size(out))
  size <- readBin(bytes[9:10], "integer", size = 2, endian = "little", signed = FALSE)
  head <- rawToChar(bytes[11:(10 + size)])
  list(bytes = bytes[-seq_len(10 + size)], head = head)
}
# The column "score" of the records.
scores_of <- function(verb, ...) {
  read <- command_scores(verb, ...)
  fields <- regmatches(read$head, gregexpr("\\('[a-z_]+', '[<|][a-z][0-9]+'\\)", read$head))[[1]]
  names <- sub("^\\('([a-z_]+)'.*", "\\1", fields)
  sizes <- as.integer(sub(".*[a-z]([0-9]+)'\\)$", "\\1", fields))
  at <- match("score", names)
  stopifnot(!is.na(at), sizes[at] == 8)
  record <- matrix(read$bytes, nrow = sum(sizes))
  from <- sum(sizes[seq_len(at - 1)])
  readBin(as.vector(record[from + 1:8, ]), "double", ncol(record), endian = "little")
}

set.seed(3)
n <- 400
d <- data.frame(
  a = round(rnorm(n), 3), b = sample(1000L, n, TRUE), level = factor(sample(c("x", "y", "z"), n, TRUE)),
  step = factor(sample(c("low", "mid", "high"), n, TRUE), levels = c("low", "mid", "high"), ordered = TRUE),
  day = as.Date("2023-05-01") + sample(700, n, TRUE), at = as.POSIXct("2024-01-01", tz = "UTC") + sample(1e6, n),
  truth = sample(c(TRUE, FALSE, NA), n, TRUE), word = sample(c("red", "green", "blue"), n, TRUE), stringsAsFactors = FALSE)
d$a[c(5, 50)] <- c(30, NA)
d$b[6] <- NA
d$level[7] <- NA
d$day[8] <- NA
d$at[9] <- NA
d$word[10] <- NA
file <- tempfile(fileext = ".csv")
text <- d
text$at <- format(d$at, "%Y-%m-%d %H:%M:%S")
write.csv(text, file, row.names = FALSE, na = "")

for (preset in c("auto", "fast")) {
  m <- odim(d, preset = preset, seed = 4, threads = 2)
  stopifnot(identical(scores_of("detect", file, "--preset", preset, "--seed", 4), m$scores))
}
model <- tempfile(fileext = ".odim")
odim_save(m, model)
stopifnot(identical(scores_of("score", "-m", model, file), m$scores))
system2(command, c("fit", file, "--preset", "fast", "--seed", 4, "-q", "-o", model))
stopifnot(identical(predict(odim_load(model), d), m$scores))
stopifnot(identical(odim(file, preset = "fast", seed = 4, threads = 2)$scores, m$scores))

# A matrix is an array; its rows and columns are those of the file.
x <- matrix(round(rnorm(900), 3), ncol = 3, dimnames = list(NULL, c("a", "b", "c")))
x[3, 2] <- 25
write.csv(x, file, row.names = FALSE)
stopifnot(identical(scores_of("detect", file, "--preset", "fast"), odim(x, preset = "fast", threads = 2)$scores))
