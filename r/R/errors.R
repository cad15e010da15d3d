# Errors of the library as conditions of R.

# A result of the library; a failure becomes an error of the classes "odim_data_error" (or "_file_", "_format_",
# "_parameter_", "_memory_", "_cancelled_", "_system_") and "odim_error", with the row and the column at fault.
checked <- function(result) {
  if (!inherits(result, "odim_failure")) return(result)
  failure <- unclass(result)
  stop(structure(
    class = c(paste0("odim_", failure$kind, "_error"), "odim_error", "error", "condition"),
    list(message = failure$message, call = NULL, row = failure$row, column = failure$column)))
}

fail_data <- function(...) {
  stop(structure(class = c("odim_data_error", "odim_error", "error", "condition"),
                 list(message = paste0(...), call = NULL, row = NA_real_, column = NA_real_)))
}
