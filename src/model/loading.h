/* A model while it is being read from a file: its sections, and the parts that exist already. */
#ifndef OD_LOADING_H
#define OD_LOADING_H

#include "model/byte_stream.h"
#include "model/model.h"

/* In the order of the file. The first two determine the lengths of others. */
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
    OD_HISTORY,               /* this and all that follow are optional */
    OD_REQUIRED = OD_HISTORY, /* number of sections before it */
    OD_PRIVACY,
    OD_TRANSFORM, /* scoring needs this and the detectors, if the model has them */
    OD_DETECTORS,
    OD_CHECKS,  /* private models have none */
    OD_RULES,   /* if there are any */
    OD_VERDICT, /* older files have none */
    OD_FILE,    /* models of text files have one */
    OD_KNOWN,   /* models that have learned from known rows have one */
    OD_INPUTS,  /* models of wide tables, whose networks see parts of a row */
    OD_SECTIONS
};

typedef struct od_loading {
    od_byte_reader body[OD_SECTIONS]; /* at NULL: the file has no such section */
    od_config config;                 /* set by section PARM */
    odim_model *model;                /* created by section NETW */
} od_loading;

#endif
