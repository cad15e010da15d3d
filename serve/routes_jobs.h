/* The routes of tables and jobs. */
#ifndef HTTP_ROUTES_JOBS_H
#define HTTP_ROUTES_JOBS_H

#include "http_app.h"

http_handler http_tables_post, http_tables_read, http_tables_get_one, http_tables_delete_one;
http_handler http_jobs_detect, http_jobs_learn, http_jobs_get_list, http_jobs_get_one, http_jobs_delete_one;
http_handler http_jobs_events, http_jobs_get_result, http_jobs_get_figure, http_jobs_get_rows,
    http_jobs_get_row;
http_handler http_jobs_get_scores, http_jobs_get_report, http_jobs_get_model, http_jobs_get_known;

#endif
