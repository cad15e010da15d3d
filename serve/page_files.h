/* The files of the page, which are part of the program. */
#ifndef SRV_PAGE_FILES_H
#define SRV_PAGE_FILES_H

typedef struct srv_page_file {
    const char *path, *type, *bytes;
} srv_page_file;

/* NULL: there is none of that path. */
const srv_page_file *srv_page_find(const char *path);

/* The description of the interface. */
extern const char srv_openapi_json[];

#endif
