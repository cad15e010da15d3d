# Fitting, scoring, explaining, saving and loading.

odim <- function(x, ..., seed = 0, id = NULL, ignore = NULL, known = NULL, read = list(), progress = interactive()) {
  look <- progress_function(progress)
  on.exit(progress_end(progress, look))
  seed <- as_seed(seed)
  given <- settings(c(list(...), list(seed = seed)))
  table <- table_of(x, id, ignore, read, progress = look)
  on.exit(.Call(r_table_release, table$handle), add = TRUE)
  info <- .Call(r_table_info, table$handle)
  if (!is.null(known)) checked(.Call(r_table_known, table$handle, known_codes(known, info$rows)))
  fitted <- checked(.Call(r_fit, table$handle, given$names, given$values, look))
  out <- new_model(fitted$model, checked(.Call(r_save_raw, fitted$model)))
  out$scores <- labeled(fitted$scores, table$labels)
  out$probability <- labeled(probability(fitted$model, fitted$scores), table$labels)
  out$outlier <- out$scores > out$threshold
  out$notes <- unique(c(info$notes, fitted$notes))
  out$seed <- seed
  out$call <- match.call()
  out
}

# A model object. The external pointer is in an environment, so that one that is read back by readRDS, and is empty
# then, can be filled again from the bytes for all copies of the object.
new_model <- function(handle, bytes) {
  info <- .Call(r_model_info, handle)
  inside <- new.env(parent = emptyenv())
  inside$handle <- handle
  structure(class = "odim", list(
    scores = NULL, outlier = NULL, probability = NULL, threshold = info$threshold, unusual = info$unusual,
    rows = info$rows, columns = as.data.frame(info$columns, stringsAsFactors = FALSE), params = info$params,
    fingerprint = info$fingerprint, notes = character(), seed = NULL, call = NULL, bytes = bytes, inside = inside))
}

handle_of <- function(object) {
  if (.Call(r_is_empty, object$inside$handle)) object$inside$handle <- checked(.Call(r_load_raw, object$bytes))
  object$inside$handle
}

labeled <- function(values, labels) {
  if (length(labels) == length(values)) names(values) <- labels
  values
}

probability <- function(handle, scores) {
  checked(.Call(r_probability, handle, as.double(scores)))
}

known_codes <- function(known, rows) {
  if (length(known) != rows) fail_data("known has ", length(known), " entries, and the table has ", rows, " rows")
  codes <- as.integer(known)
  codes[is.na(codes)] <- -1L
  if (any(codes < -1L | codes > 1L)) fail_data("known is TRUE or 1 for an outlier, FALSE or 0 for an inlier, NA if unknown")
  codes
}

new_table <- function(object, x, read, look) {
  table_of(x, read = read, like = handle_of(object), names = object$columns$name, progress = look)
}

predict.odim <- function(object, newdata, type = c("score", "outlier", "probability", "raw", "frame"), ...,
                         threads = NULL, read = list(), progress = interactive()) {
  type <- match.arg(type)
  if (missing(newdata) || is.null(newdata)) {
    if (is.null(object$scores)) stop("this model was loaded, and has no training scores: give 'newdata'", call. = FALSE)
    if (type == "raw") stop("raw scores need 'newdata'", call. = FALSE)
    scores <- object$scores
  } else if (!is.character(newdata) && NROW(newdata) == 0L) {
    scores <- numeric()
  } else {
    look <- progress_function(progress)
  on.exit(progress_end(progress, look))
    given <- settings(list(threads = threads))
    table <- new_table(object, newdata, read, look)
    on.exit(.Call(r_table_release, table$handle), add = TRUE)
    scores <- labeled(checked(.Call(r_score, handle_of(object), table$handle, type == "raw", given$names,
                                    given$values, look)), table$labels)
  }
  switch(type,
         score = , raw = scores,
         outlier = scores > object$threshold,
         probability = labeled(probability(handle_of(object), scores), names(scores)),
         frame = score_frame(object, scores))
}

# One line per row, with the columns that the command writes.
score_frame <- function(object, scores) {
  labels <- names(scores)
  scores <- unname(scores)
  out <- data.frame(score = scores, rank = if (length(scores)) checked(.Call(r_rank, scores)) else numeric(),
                    p_outlier = probability(handle_of(object), scores), is_outlier = scores > object$threshold)
  if (!is.null(labels) && !anyDuplicated(labels) && !anyNA(labels)) row.names(out) <- labels
  out
}

explain <- function(object, ...) UseMethod("explain")

explain.odim <- function(object, x, rows = NULL, top = 3, ..., threads = NULL, read = list(),
                         progress = interactive()) {
  look <- progress_function(progress)
  on.exit(progress_end(progress, look))
  given <- settings(list(threads = threads))
  table <- new_table(object, x, read, look)
  on.exit(.Call(r_table_release, table$handle), add = TRUE)
  count <- .Call(r_table_info, table$handle)$rows
  if (is.null(rows)) {
    scores <- checked(.Call(r_score, handle_of(object), table$handle, FALSE, given$names, given$values, look))
    at <- which(scores > object$threshold)
    at <- at[order(scores[at], decreasing = TRUE)]
  } else {
    at <- row_positions(rows, count, table$labels)
  }
  if (length(top) != 1L || is.na(top) || top < 1) stop("'top' is the number of reasons per row, 1 or more", call. = FALSE)
  found <- checked(.Call(r_explain, handle_of(object), table$handle, as.double(at - 1), as.integer(top), given$names,
                         given$values, look))
  out <- as.data.frame(found, stringsAsFactors = FALSE)
  if (!is.null(table$labels)) out <- cbind(label = table$labels[out$row], out, stringsAsFactors = FALSE)
  out
}

# Positions, a logical vector or row labels, as positions from 1.
row_positions <- function(rows, count, labels) {
  if (is.logical(rows)) {
    if (length(rows) != count) stop("'rows' has ", length(rows), " entries, and the table has ", count, " rows", call. = FALSE)
    return(which(rows))
  }
  at <- if (is.character(rows)) match(rows, labels) else match(rows, seq_len(count))
  if (anyNA(at)) stop("there is no row '", rows[is.na(at)][1L], "'", call. = FALSE)
  at
}

odim_detect <- function(x, ..., explain = 3, read = list(), progress = interactive()) {
  model <- odim(x, ..., read = read, progress = progress)
  out <- score_frame(model, model$scores)
  out$reasons <- ""
  worth <- which(model$scores > model$unusual)
  if (explain > 0 && length(worth)) {
    # The columns that were not fitted are not in the model, and so are left out again.
    found <- explain.odim(model, x, rows = worth, top = explain, read = read, progress = progress)
    texts <- tapply(found$text, factor(found$row, levels = worth), paste, collapse = "\n")
    out$reasons[worth] <- ifelse(is.na(texts), "", texts)
  }
  class(out) <- c("odim_verdict", "data.frame")
  attr(out, "model") <- model
  out
}

odim_save <- function(object, file) {
  stopifnot(inherits(object, "odim"), is.character(file), length(file) == 1L)
  checked(.Call(r_save_file, handle_of(object), path.expand(file)))
  invisible(object)
}

odim_load <- function(file) {
  if (is.raw(file)) {
    handle <- checked(.Call(r_load_raw, file))
  } else {
    stopifnot(is.character(file), length(file) == 1L)
    handle <- checked(.Call(r_load_file, path.expand(file)))
  }
  new_model(handle, checked(.Call(r_save_raw, handle)))
}
