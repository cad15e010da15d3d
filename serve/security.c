/* Who may ask: the token, and the headers Host and Origin. */
#include "security.h"

#include <arpa/inet.h>
#include <errno.h>
#include <string.h>
#include <strings.h>

#include "common/mem.h"
#include "common/read_file.h"
#include "log.h"

enum { HOST_MOST = 255 };

/* Copies the name or address of Host without its port and brackets. False: it is not well formed. */
static bool host_name(const char *host, char name[HOST_MOST + 1])
{
    bool bracket = *host == '[';
    host += bracket;
    size_t len = strcspn(host, bracket ? "]" : ":");
    const char *rest = host + len;
    if (len == 0 || len > HOST_MOST || (bracket && *rest++ != ']')) return false;
    memcpy(name, host, len);
    name[len] = '\0';
    if (*rest == ':') rest += 1 + strspn(rest + 1, "0123456789");
    return !*rest;
}

static bool is_address(const char *name)
{
    unsigned char room[sizeof(struct in6_addr)];
    return inet_pton(AF_INET, name, room) == 1 || inet_pton(AF_INET6, name, room) == 1;
}

bool http_host_is_ours(const char *host, const char *const *names)
{
    char name[HOST_MOST + 1];
    if (!host || !host_name(host, name)) return false;
    if (strcasecmp(name, "localhost") == 0 || is_address(name)) return true;
    for (; names && *names; names++)
        if (strcasecmp(name, *names) == 0) return true;
    return false;
}

bool http_origin_is_ours(const char *origin, const char *host)
{
    if (!origin) return true;
    const char *rest = strncasecmp(origin, "http://", 7) == 0    ? origin + 7
                       : strncasecmp(origin, "https://", 8) == 0 ? origin + 8
                                                                 : NULL;
    return rest && host && strcasecmp(rest, host) == 0;
}

bool http_token_equal(const char *token, const char *given)
{
    size_t len = strlen(token), size = strlen(given);
    volatile unsigned char differs = len != size;
    for (size_t i = 0; i < size; i++) differs |= (unsigned char)(given[i] ^ token[i % (len + 1)]);
    return !differs;
}

bool http_token_is_given(const char *token, const char *authorization)
{
    static const char scheme[] = "Bearer ";
    if (!authorization || strncasecmp(authorization, scheme, sizeof scheme - 1) != 0) return false;
    authorization += sizeof scheme - 1;
    return http_token_equal(token, authorization + strspn(authorization, " "));
}

char *http_token_read(const char *path)
{
    char *bytes;
    size_t size;
    const char *failed = od_read_file(path, "", HTTP_TOKEN_MOST, &bytes, &size);
    if (failed) {
        cli_log("%s: %s: %s", path, failed, strerror(errno));
        return NULL;
    }
    size_t len = strcspn(bytes, "\r\n");
    bytes[len] = '\0';
    bool plain = true;
    for (size_t i = 0; i < len; i++) plain = plain && bytes[i] > ' ' && bytes[i] < 0x7F;
    if (plain && len >= HTTP_TOKEN_LEAST) return bytes;
    cli_log("%s: a token is a line of at least %d letters and digits, such as 'openssl rand -hex 32' prints",
            path, HTTP_TOKEN_LEAST);
    od_free(bytes);
    return NULL;
}

bool http_address_is_loopback(const char *address)
{
    return strncmp(address, "127.", 4) == 0 || strcmp(address, "::1") == 0;
}
