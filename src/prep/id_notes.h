/* Notes about the names of rows: duplicates, and names that are written unlike the others. */
#ifndef OD_ID_NOTES_H
#define OD_ID_NOTES_H

#include "prep/table.h"

/* Adds to the notes of a table that was read as a whole. */
odim_status od_id_notes(odim_table *t, odim_error *err);

#endif
