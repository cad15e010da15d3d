/* The detectors of a model as a section of its file: docs/FORMAT.md, section COMP. */
#ifndef OD_DETECTOR_FILE_H
#define OD_DETECTOR_FILE_H

#include "model/loading.h"

void od_detector_file_write(od_byte_writer *out, const odim_model *m);
/* They must be those that the parameters ask for. */
odim_status od_detector_file_read(od_byte_reader *in, od_loading *loading, odim_error *err);

/* The rows whose verdict is known, as a section: docs/FORMAT.md, section KNWN. */
void od_known_file_write(od_byte_writer *out, const odim_model *m);
odim_status od_known_file_read(od_byte_reader *in, od_loading *loading, odim_error *err);

#endif
