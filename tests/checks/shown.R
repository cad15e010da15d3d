# shown.R FILE: runs the expressions of FILE and compares what they print with the lines after them that begin with #>.
lines <- readLines(commandArgs(TRUE)[1L], encoding = "UTF-8")
options(width = 110)
expected <- startsWith(lines, "#>")
parts <- cumsum(c(TRUE, expected[-length(expected)] & !expected[-1L])) # code, and the output below it
failed <- 0
for (part in split(seq_along(lines), parts)) {
  code <- lines[part][!expected[part]]
  shown <- sub("^#> ?", "", lines[part][expected[part]])
  printed <- utils::capture.output(source(textConnection(code), local = globalenv(), print.eval = TRUE))
  if (length(shown) && !identical(trimws(printed, "right"), trimws(shown, "right"))) {
    cat("printed:\n", paste0("#> ", printed, "\n"), "instead of:\n", paste0("#> ", shown, "\n"), sep = "")
    failed <- failed + 1
  }
}
if (failed) quit("no", 1)
