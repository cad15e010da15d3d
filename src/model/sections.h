/* What is in each section of a model file, and how it is read and written: docs/FORMAT.md. */
#ifndef OD_SECTIONS_H
#define OD_SECTIONS_H

#include "model/model.h"
#include "model/byte_stream.h"

/* In the order of the file. The first two say how long others must be. */
enum {
    OD_PARAMS,
    OD_NETWORK,
    OD_COLUMNS,
    OD_CALIBRATION,
    OD_THRESHOLD,
    OD_REASONS,
    OD_MEMBERS,
    OD_WEIGHTS,
    OD_STATISTICS,
    OD_NOISE,
    OD_HISTORY,               /* from here on: not needed for scoring, and not always there */
    OD_REQUIRED = OD_HISTORY, /* how many come before */
    OD_PRIVACY,
    OD_TRANSFORM, /* of models that have them; scoring does need these two */
    OD_DETECTORS,
    OD_CHECKS,  /* of models that are not private */
    OD_VERDICT, /* of models since there were verdicts */
    OD_SECTIONS
};

/* A model in the making. */
typedef struct od_loading {
    od_byte_reader body[OD_SECTIONS];
    od_config config;  /* when OD_PARAMS has been read */
    odim_model *model; /* when OD_NETWORK has been read */
} od_loading;

typedef struct od_section_kind {
    char tag[5];
    void (*write)(od_byte_writer *out, const odim_model *m);
    /* Reads loading->body of this section; what is left of it is too much. */
    odim_status (*read)(od_byte_reader *in, od_loading *loading, odim_error *err);
} od_section_kind;

extern const od_section_kind od_section_kinds[OD_SECTIONS];

/* Whether the model has anything to put into it. */
bool od_section_wanted(const odim_model *m, size_t section);

#endif
