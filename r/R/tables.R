# Tables of the library from data frames, matrices and files.

type_codes <- c(numeric = 0L, boolean = 1L, categorical = 2L, time = 3L)

numbers_column <- function(values, type = NA_integer_) {
  list(numbers = as.double(values), type = type)
}

texts_column <- function(values, texts, type = NA_integer_) {
  codes <- match(values, texts) - 1L
  codes[is.na(values)] <- -1L
  list(codes = codes, texts = enc2utf8(texts), type = type)
}

# A column of a data frame. It means the same as in the CSV file of the frame, except that a factor is a category
# whatever its levels look like. With `fixed`, numbers are a feature even if they seem to number the rows.
column <- function(values, name, rows, fixed) {
  if (length(values) != rows || !is.null(dim(values)))
    fail_data("column '", name, "' is not a vector with one cell per row")
  if (is.factor(values)) {
    codes <- as.integer(values) - 1L
    codes[is.na(codes)] <- -1L
    return(list(codes = codes, texts = enc2utf8(levels(values)), type = type_codes[["categorical"]]))
  }
  if (inherits(values, "Date")) return(numbers_column(as.double(values) * 86400, type_codes[["time"]]))
  if (inherits(values, "POSIXt")) return(numbers_column(as.POSIXct(values), type_codes[["time"]]))
  if (inherits(values, "difftime")) return(numbers_column(as.double(values, units = "secs")))
  if (inherits(values, "integer64"))
    fail_data("column '", name, "' has integers of 64 bits: convert it with as.numeric() or as.character()")
  if (is.logical(values)) return(texts_column(as.character(values), c("FALSE", "TRUE")))
  if (is.numeric(values)) return(numbers_column(values, if (fixed) type_codes[["numeric"]] else NA_integer_))
  if (is.character(values)) return(texts_column(values, unique(values[!is.na(values)])))
  fail_data("column '", name, "' has values of the class '", class(values)[1L],
            "'; a column is numeric, logical, character, a factor, or has dates or times")
}

# The names of rows that have some: row numbers are not names.
row_labels <- function(x) {
  if (is.data.frame(x)) {
    if (.row_names_info(x) > 0L) row.names(x) else NULL
  } else {
    rownames(x)
  }
}

chosen_columns <- function(names, given, what) {
  if (is.null(given)) return(integer())
  at <- if (is.character(given)) match(given, names) else match(given, seq_along(names))
  if (anyNA(at)) fail_data(what, ": there is no column '", given[is.na(at)][1L], "'")
  at
}

# A table handle and the labels of its rows. `like` is the handle of a model, whose columns are found by name; `names`
# are its column names, for a matrix without any.
table_of <- function(x, id = NULL, ignore = NULL, read = list(), like = NULL, names = NULL, progress = NULL) {
  if (is.character(x) && is.null(dim(x)) && length(x) == 1L) return(file_table(x, id, ignore, read, like, progress))
  if (length(read)) fail_data("'read' is for files, and this is a table in memory")
  if (is.matrix(x) && (is.numeric(x) || is.logical(x)) && is.null(id) && is.null(ignore)) {
    storage.mode(x) <- "double"
    if (!is.null(colnames(x))) names <- enc2utf8(colnames(x))
    else if (length(names) != ncol(x)) names <- NULL
    return(list(handle = checked(.Call(r_table_matrix, x, names)), labels = rownames(x)))
  }
  if (is.matrix(x)) x <- as.data.frame(x, stringsAsFactors = FALSE)
  if (!is.data.frame(x)) fail_data("a table is a data frame, a matrix or the path of a file, not '", class(x)[1L], "'")
  frame_table(x, id, ignore, like)
}

frame_table <- function(x, id, ignore, like) {
  labels <- row_labels(x)
  rows <- nrow(x)
  columns <- as.list(x)
  names <- enc2utf8(names(x))
  left_out <- chosen_columns(names, ignore, "ignore")
  if (!is.null(id) && !identical(id, FALSE)) {
    at <- chosen_columns(names, id, "id")
    if (length(at) != 1L) fail_data("'id' is one column, or FALSE")
    labels <- as.character(columns[[at]])
    left_out <- c(left_out, at)
  }
  keep <- setdiff(seq_along(columns), left_out)
  cells <- lapply(keep, function(j) column(columns[[j]], names[j], rows, identical(id, FALSE)))
  handle <- checked(.Call(r_table_columns, names[keep], cells, as.double(rows), like))
  if (is.null(labels)) labels <- .Call(r_table_info, handle)$ids
  list(handle = handle, labels = labels)
}

file_table <- function(path, id, ignore, read, like, progress) {
  if (length(read) && (is.null(names(read)) || any(names(read) == ""))) fail_data("'read' is a list with names")
  if (identical(id, FALSE)) id <- ""
  if (!is.null(id)) read$id <- as.character(id)
  if (!is.null(ignore)) read$ignore <- as.character(ignore)
  if (!grepl("^-$", path)) path <- path.expand(path)
  handle <- checked(.Call(r_table_file, path, as.list(read), like, progress))
  list(handle = handle, labels = .Call(r_table_info, handle)$ids)
}
