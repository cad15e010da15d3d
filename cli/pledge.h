/* What a private model guarantees, and what not: in words and for programs. */
#ifndef OD_PLEDGE_H
#define OD_PLEDGE_H

#include "json.h"
#include "odim.h"
#include "out.h"
#include "work.h"

/* All of them do nothing for a model that is not private. */

/* After fitting, to stderr. scored: the rows that it was fitted on are scored and shown, too. */
void od_pledge_say(od_work *work, const odim_model *model, bool scored);
/* For inspect. */
void od_pledge_print(const odim_model *model, od_out *out);
/* As a member "privacy" of an open object. */
void od_pledge_json(const odim_model *model, od_json *j);

#endif
