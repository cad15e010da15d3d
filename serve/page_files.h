/* The files of the page, which are part of the program. */
#ifndef HTTP_PAGE_FILES_H
#define HTTP_PAGE_FILES_H

typedef struct http_page_file {
    const char *path, *type, *bytes;
} http_page_file;

/* NULL: there is none of that path. */
const http_page_file *http_page_find(const char *path);

/* The description of the interface. */
extern const char http_openapi_json[];

#endif
