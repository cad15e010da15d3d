/* The sections of a model file, with a writer and a reader for each: docs/FORMAT.md. */
#ifndef OD_SECTIONS_H
#define OD_SECTIONS_H

#include "model/loading.h"

typedef struct od_section_kind {
    char tag[5];
    void (*write)(od_byte_writer *out, const odim_model *m);
    /* Reads loading->body of this section. Bytes that it leaves unread are an error of the file. */
    odim_status (*read)(od_byte_reader *in, od_loading *loading, odim_error *err);
} od_section_kind;

extern const od_section_kind od_section_kinds[OD_SECTIONS];

/* Whether the model has content for this section. */
bool od_section_wanted(const odim_model *m, size_t section);

#endif
