/* What a private model guarantees, in words and as JSON. */
#ifndef CLI_DP_NOTICE_H
#define CLI_DP_NOTICE_H

#include "json.h"
#include "odim.h"
#include "out.h"
#include "run.h"

/* All of them do nothing for a model that is not private. */

/* After fitting, to stderr. scored: the rows that it was fitted on are scored and shown, too. */
void cli_dp_notice_say(cli_run *work, const odim_model *model, bool scored);
/* For inspect. */
void cli_dp_notice_print(const odim_model *model, cli_out *out);
/* As a member "privacy" of an open object. */
void cli_dp_notice_json(const odim_model *model, cli_json *j);

#endif
