/* Bodies of requests to the server and single settings; what is understood is written and understood again.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "options.h"

/* The options as JSON; NULL: no memory. */
static char *write_options(const serve_request *r)
{
    serve_text_out to;
    serve_text text;
    if (serve_text_begin(&to, NULL)) return NULL;
    cli_json j = {.out = &to.out, .line = true};
    cli_json_begin(&j, NULL, '{');
    cli_json_begin(&j, "options", '{');
    serve_options_json(&r->options, NULL, &j);
    cli_json_end(&j);
    cli_json_end(&j);
    if (serve_text_end(&to, &text, NULL)) return NULL;
    return text.bytes;
}

/* The same after it was written and parsed once more. */
static char *repeat(const char *text)
{
    serve_request r = {0};
    if (!text) return NULL;
    if (serve_request_parse(&r, text, strlen(text), NULL)) abort();
    char *out = write_options(&r);
    serve_request_free(&r);
    return out;
}

/* Bytes that are not UTF-8, which settings may have, become U+FFFD the first time. */
static void use(const serve_request *r)
{
    serve_reading reading = {0};
    char *first = write_options(r), *second = repeat(first), *third = repeat(second);
    if (second && third && strcmp(second, third) != 0) abort();
    serve_reading_make(&reading, &r->options, NULL);
    serve_reading_free(&reading);
    free(first);
    free(second);
    free(third);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    serve_request r = {0};
    serve_problem why = {0};
    if (size < 1) return 0;
    char *text = malloc(size);
    if (!text) return 0;
    memcpy(text, data + 1, size - 1);
    text[size - 1] = '\0';
    odim_status status = ODIM_OK;
    if (*data == 's') { /* name=value, one per line */
        for (char *line = text, *next; line && !status; line = next) {
            if ((next = strchr(line, '\n'))) *next++ = '\0';
            char *sign = strchr(line, '=');
            if (sign) *sign = '\0';
            status = serve_request_set(&r, line, sign ? sign + 1 : "", &why);
        }
    } else {
        status = serve_request_parse(&r, text, size - 1, &why);
    }
    if (status && (why.status < 400 || !*why.detail)) abort();
    if (!status) use(&r);
    serve_request_free(&r);
    free(text);
    return 0;
}
