# Printing, summaries and plots.

count_text <- function(count, word) {
  paste0(format(count, big.mark = ","), " ", word, if (count != 1) "s")
}

headline <- function(x) {
  method <- if ("method" %in% names(x$params) && x$params[["method"]] != "odim") x$params[["method"]]
            else paste("preset", x$params[["preset"]])
  paste0("odim model: ", count_text(x$rows, "row"), ", ", count_text(nrow(x$columns), "column"), ", ", method,
         if (!is.null(x$seed)) paste(", seed", format(x$seed, scientific = FALSE)))
}

verdict_line <- function(scores, threshold, unusual) {
  outliers <- sum(scores > threshold)
  worth <- sum(scores > unusual) - outliers
  paste0(count_text(outliers, "outlier"), " (score above ", format(threshold, digits = 4), ")",
         if (worth > 0) paste0(", ", count_text(worth, "unusual row")))
}

print.odim <- function(x, n = 6, ...) {
  cat(headline(x), "\n", sep = "")
  if (is.null(x$scores)) {
    cat("loaded from a file; predict() scores rows, those above ", format(x$threshold, digits = 4),
        " are outliers\n", sep = "")
    return(invisible(x))
  }
  cat(verdict_line(x$scores, x$threshold, x$unusual), "\n", sep = "")
  first <- head(order(x$scores, decreasing = TRUE), n)
  if (length(first)) {
    labels <- if (is.null(names(x$scores))) as.character(first) else names(x$scores)[first]
    print(data.frame(row = labels, score = round(unname(x$scores[first]), 2),
                     p_outlier = round(unname(x$probability[first]), 3)), row.names = FALSE)
  }
  invisible(x)
}

summary.odim <- function(object, ...) {
  out <- object[c("columns", "params", "notes", "threshold", "unusual", "rows", "seed", "scores", "fingerprint", "call")]
  structure(out, class = "summary.odim")
}

print.summary.odim <- function(x, ...) {
  cat(headline(x), ", fingerprint ", x$fingerprint, "\n", sep = "")
  if (!is.null(x$scores)) {
    cat(verdict_line(x$scores, x$threshold, x$unusual), "\n\nScores:\n", sep = "")
    print(summary(unname(x$scores)))
  }
  cat("\nColumns:\n")
  columns <- x$columns
  columns$levels <- ifelse(columns$type == "categorical", format(columns$levels), "")
  columns[is.na(columns)] <- ""
  print(columns, row.names = FALSE)
  if (length(x$notes)) cat("\nNotes:\n", paste0("  ", x$notes, "\n"), sep = "")
  invisible(x)
}

plot.odim <- function(x, which = c("histogram", "rows"), labels = 10, main = NULL, ...) {
  which <- match.arg(which)
  if (is.null(x$scores)) stop("this model was loaded, and has no training scores to plot", call. = FALSE)
  scores <- unname(x$scores)
  if (which == "histogram") plot_histogram(x, scores, main, ...) else plot_rows(x, scores, labels, main, ...)
  invisible(x)
}

outlier_color <- "#c0392b"
other_color <- "#7f8c9b"

# Counts on a logarithmic axis, so that a few outliers show next to many rows.
plot_histogram <- function(x, scores, main, ...) {
  bars <- hist(scores, breaks = max(20, nclass_sturges(scores)), plot = FALSE)
  tall <- log10(pmax(bars$counts, 0.5))
  left <- head(bars$breaks, -1L)
  plot(range(bars$breaks, x$threshold), c(log10(0.5), max(tall) * 1.05), type = "n", xlab = "score", ylab = "rows", yaxt = "n",
       main = if (is.null(main)) "Scores" else main, ...)
  ticks <- 10^(0:ceiling(max(tall)))
  axis(2, at = log10(ticks), labels = format(ticks, scientific = FALSE, trim = TRUE), las = 1)
  shown <- bars$counts > 0
  rect(left[shown], log10(0.5), bars$breaks[-1L][shown], tall[shown], border = "white",
       col = ifelse(left[shown] >= x$threshold, outlier_color, other_color))
  abline(v = x$threshold, lty = 2, col = outlier_color)
}

nclass_sturges <- function(values) {
  ceiling(log2(length(values)) + 1) * 3
}

plot_rows <- function(x, scores, labels, main, ...) {
  is_outlier <- scores > x$threshold
  plot(scores, xlab = "row", ylab = "score", pch = 20, col = ifelse(is_outlier, outlier_color, other_color),
       main = if (is.null(main)) "Scores of the rows" else main, ...)
  abline(h = x$threshold, lty = 2, col = outlier_color)
  first <- head(order(scores, decreasing = TRUE), labels)
  first <- first[is_outlier[first]]
  if (length(first)) {
    shown <- as.character(if (is.null(names(x$scores))) first else names(x$scores)[first])
    free <- apart(first, scores[first], 1.2 * max(strwidth(shown, cex = 0.7)), 1.4 * strheight("0", cex = 0.7))
    text(first[free], scores[first][free], shown[free], pos = 2, cex = 0.7)
  }
}

# Which of the points are not within a width and a height of one before them that is.
apart <- function(x, y, width, height) {
  kept <- integer()
  for (i in seq_along(x))
    if (!any(abs(x[kept] - x[i]) < width & abs(y[kept] - y[i]) < height)) kept <- c(kept, i)
  kept
}

print.odim_verdict <- function(x, n = 10, ...) {
  model <- attr(x, "model")
  if (is.null(model) || !all(c("score", "rank", "p_outlier", "reasons") %in% names(x))) {
    print.data.frame(x, ...)
    return(invisible(x))
  }
  cat(verdict_line(x$score, model$threshold, model$unusual), " in ", count_text(nrow(x), "row"), "\n", sep = "")
  chosen <- which(x$score > model$unusual)
  chosen <- head(chosen[order(x$rank[chosen])], n)
  for (i in chosen) {
    cat(sprintf("%s  score %.2f, p %.3f%s\n", row.names(x)[i], x$score[i], x$p_outlier[i],
                if (x$is_outlier[i]) "" else " (unusual)"))
    if (nzchar(x$reasons[i])) cat(paste0("    ", strsplit(x$reasons[i], "\n", fixed = TRUE)[[1L]], "\n"), sep = "")
  }
  invisible(x)
}
