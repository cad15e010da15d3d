/* A text that grows while it is written. */
#include "text.h"

#include <stdlib.h>
#include <string.h>

void serve_text_free(serve_text *text)
{
    free(text->bytes);
    *text = (serve_text){0};
}

odim_status serve_text_of_model(const odim_model *model, serve_text *out, serve_problem *why)
{
    odim_error err;
    void *bytes;
    size_t size;
    *out = (serve_text){0};
    if (odim_model_save_memory(model, &bytes, &size, &err)) return serve_fail_error(why, &err);
    /* The library's memory is not free()'s, and a text ends with '\0'. */
    out->bytes = malloc(size + 1);
    if (out->bytes) {
        memcpy(out->bytes, bytes, size);
        out->bytes[size] = '\0';
        out->size = size;
    }
    odim_free(bytes);
    return out->bytes ? ODIM_OK : serve_fail_nomem(why);
}

odim_status serve_text_begin(serve_text_out *t, serve_problem *why)
{
    *t = (serve_text_out){.out = {.name = "memory"}};
    t->out.file = open_memstream(&t->text.bytes, &t->text.size);
    return t->out.file ? ODIM_OK : serve_fail_nomem(why);
}

odim_status serve_text_end(serve_text_out *t, serve_text *out, serve_problem *why)
{
    *out = (serve_text){0};
    if (!t->out.file) return serve_fail_nomem(why);
    bool failed = ferror(t->out.file) || t->out.error;
    failed |= fclose(t->out.file) != 0;
    t->out.file = NULL;
    if (failed) serve_text_free(&t->text);
    *out = t->text;
    t->text = (serve_text){0};
    return failed ? serve_fail_nomem(why) : ODIM_OK;
}

void serve_text_discard(serve_text_out *t)
{
    if (t->out.file) fclose(t->out.file);
    t->out.file = NULL;
    serve_text_free(&t->text);
}
