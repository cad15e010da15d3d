# Parameters of the library, progress, and information about the library.

# A value as the library writes it: TRUE is "on", vectors are joined by commas.
setting_text <- function(value) {
  if (is.logical(value)) text <- ifelse(value, "on", "off")
  else if (is.numeric(value)) text <- vapply(value, number_text, "")
  else text <- enc2utf8(as.character(value))
  if (!length(text) || anyNA(text)) stop("a parameter has no value", call. = FALSE)
  paste(text, collapse = ",")
}

number_text <- function(value) {
  short <- sprintf("%.15g", value)
  if (is.finite(value) && as.double(short) != value) sprintf("%.17g", value) else short
}

# Names and values as two character vectors; in names, . and _ stand for -.
settings <- function(given) {
  given <- given[!vapply(given, is.null, NA)]
  if (length(given) && (is.null(names(given)) || any(names(given) == "")))
    stop("parameters are given by name, as in odim(x, preset = \"fast\")", call. = FALSE)
  list(names = gsub("[._]", "-", as.character(names(given))), values = vapply(given, setting_text, "", USE.NAMES = FALSE))
}

as_seed <- function(seed) {
  if (is.null(seed)) seed <- sample.int(.Machine$integer.max, 1L)
  seed
}

# A function that the library calls about ten times per second, or NULL. TRUE shows a line on the terminal, from the
# second second on; progress_end removes it.
progress_function <- function(progress) {
  if (is.function(progress)) return(progress)
  if (!isTRUE(progress)) return(NULL)
  began <- proc.time()[["elapsed"]]
  line_shown <- FALSE
  function(stage, fraction) {
    if (proc.time()[["elapsed"]] - began > 1) {
      line_shown <<- TRUE
      cat(sprintf("\r%-10s %3.0f %% ", stage, 100 * fraction), file = stderr())
    }
    FALSE
  }
}

progress_end <- function(progress, look) {
  if (isTRUE(progress) && environment(look)$line_shown) cat("\r", strrep(" ", 17), "\r", sep = "", file = stderr())
}

odim_params <- function() {
  as.data.frame(.Call(r_parameters), stringsAsFactors = FALSE)
}

odim_version <- function() {
  .Call(r_version)
}
