/*
 * One flat JSON object, such as {"a": 1.5, "city": "Rome"}, scored without a table. It gives the same bytes
 * as http_score_answer does by way of a table, several times faster. Whatever is unusual about the object (an
 * escape, an array, a missing column, a cell that does not fit) is left to that.
 */
#ifndef HTTP_SCORE_ONE_H
#define HTTP_SCORE_ONE_H

#include "score_options.h"
#include "scorers.h"

/* False: the object must be read as a table, and nothing has been written. *extra: the only obstacle was a
 * key that is not a column. */
bool http_score_one(const http_score *s, http_scorer *scorer, const char *body, size_t size, http_text *out,
                    bool *extra);
/* After the object was read as a table without an id: keys of it that are not columns can be ignored. */
void http_score_learn(const http_score *s, http_scorer *scorer, const char *body, size_t size);

#endif
