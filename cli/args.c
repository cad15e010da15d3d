#include "args.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "help.h"
#include "say.h"
#include "suggest.h"

typedef struct parser {
    const od_verb *verb;
    int argc, at;
    char **argv;
    void *settings;
    odim_params *params;
} parser;

static bool same(const char *name, const char *text, size_t len)
{
    return strlen(name) == len && memcmp(name, text, len) == 0;
}

static bool is_switchable(const odim_param_info *param)
{
    return strcmp(param->arg, "on|off") == 0;
}

static const od_option *find_option(const od_verb *verb, const char *name, size_t len)
{
    for (int i = 0; i < verb->option_count; i++)
        if (same(verb->options[i].name, name, len)) return &verb->options[i];
    return NULL;
}

/* *denied: it was found as --no-name. */
static const odim_param_info *find_param(const od_verb *verb, const char *name, size_t len, bool *denied)
{
    bool no = len > 3 && strncmp(name, "no-", 3) == 0;
    for (int i = 0; verb->params && i < odim_param_count(); i++) {
        const odim_param_info *param = odim_param_at(i);
        *denied = no && is_switchable(param) && same(param->name, name + 3, len - 3);
        if (*denied || same(param->name, name, len)) return param;
    }
    return NULL;
}

static const od_option *find_letter(const od_verb *verb, char letter)
{
    for (int i = 0; i < verb->option_count; i++)
        if (verb->options[i].letter == letter) return &verb->options[i];
    return NULL;
}

static int reject_unknown(const od_verb *verb, const char *text)
{
    const char *name = text + strspn(text, "-");
    size_t len = strcspn(name, "=");
    char word[64];
    if (len >= sizeof word) len = sizeof word - 1;
    memcpy(word, name, len);
    word[len] = '\0';

    /* "no-batchnorm" is compared without its "no-", and gets it back where that makes sense. */
    od_suggest s = {.word = word}, denied = {.word = strncmp(word, "no-", 3) == 0 ? word + 3 : ""};
    for (int i = 0; i < verb->option_count; i++) od_suggest_offer(&s, verb->options[i].name);
    for (int i = 0; verb->params && i < odim_param_count(); i++) {
        const odim_param_info *param = odim_param_at(i);
        od_suggest_offer(&s, param->name);
        if (is_switchable(param)) od_suggest_offer(&denied, param->name);
    }
    od_suggest_offer(&s, "help");

    size_t shown = strcspn(text, "=");
    if (denied.best)
        od_say("unknown option %.*s; did you mean --no-%s?", (int)shown, text, denied.best);
    else if (s.best)
        od_say("unknown option %.*s; did you mean --%s?", (int)shown, text, s.best);
    else
        od_say("unknown option %.*s; 'odim help %s' lists them", (int)shown, text, verb->name);
    return OD_EXIT_USAGE;
}

static int set_param(parser *p, const char *name, const char *value)
{
    odim_error err;
    if (odim_params_set(p->params, name, value, &err) == ODIM_OK) return -1;
    /* The library says "members must be ..."; here that is an option. */
    od_say("%s%s", strncmp(err.msg, name, strlen(name)) == 0 ? "--" : "", err.msg);
    return err.status == ODIM_ERR_PARAM ? OD_EXIT_USAGE : OD_EXIT_FAILED;
}

static int append(char **list, const char *value)
{
    size_t old = *list ? strlen(*list) : 0, more = strlen(value);
    char *longer = realloc(*list, old + more + 2);
    if (!longer) {
        od_say("out of memory");
        return OD_EXIT_FAILED;
    }
    if (old) longer[old++] = ',';
    memcpy(longer + old, value, more + 1);
    *list = longer;
    return -1;
}

static void *place_of(const parser *p, const od_option *option)
{
    return (char *)p->settings + option->offset;
}

static int set_count(const od_option *option, const char *value, int64_t *where)
{
    char *end;
    errno = 0;
    long long count = strtoll(value, &end, 10);
    if (end == value || *end || count < 1 || errno) {
        od_say("--%s must be a whole number of at least 1, not '%s'", option->name, value);
        return OD_EXIT_USAGE;
    }
    *where = count;
    return -1;
}

/* Whether value is one of "a|b|c". */
static bool is_choice(const char *choices, const char *value)
{
    while (*choices) {
        size_t len = strcspn(choices, "|");
        if (same(value, choices, len)) return true;
        choices += len + (choices[len] == '|');
    }
    return false;
}

static int set_text(const od_option *option, const char *value, const char **where)
{
    if (strchr(option->arg, '|') && !is_choice(option->arg, value)) {
        od_say("--%s must be one of %s, not '%s'", option->name, option->arg, value);
        return OD_EXIT_USAGE;
    }
    *where = value;
    return -1;
}

static int set_option(const parser *p, const od_option *option, const char *value)
{
    if (option->kind == OD_OPTION_LIST) return append(place_of(p, option), value);
    if (option->kind == OD_OPTION_COUNT) return set_count(option, value, place_of(p, option));
    return set_text(option, value, place_of(p, option));
}

/* The value of an option: what follows '=' (or the letter), else the next argument. NULL: there is none. */
static const char *take_value(parser *p, const char *attached)
{
    if (attached) return attached;
    /* What begins with two dashes is the next option, more likely than a value: "--label --json". */
    if (p->at == p->argc || strncmp(p->argv[p->at], "--", 2) == 0) return NULL;
    return p->argv[p->at++];
}

static int reject_value(const char *no, const char *name)
{
    od_say("--%s%s takes no value", no, name);
    return OD_EXIT_USAGE;
}

static int reject_bare(const char *name, const char *arg)
{
    od_say("--%s needs a value: --%s %s", name, name, arg);
    return OD_EXIT_USAGE;
}

static int apply_option(parser *p, const od_option *option, const char *attached)
{
    if (option->kind == OD_OPTION_SWITCH) {
        if (attached) return reject_value("", option->name);
        *(int *)place_of(p, option) = option->value;
        return -1;
    }
    const char *value = take_value(p, attached);
    return value ? set_option(p, option, value) : reject_bare(option->name, option->arg);
}

static int apply_param(parser *p, const odim_param_info *param, bool denied, const char *attached)
{
    if (denied) return attached ? reject_value("no-", param->name) : set_param(p, param->name, "off");
    if (is_switchable(param) && !attached) {
        const char *next = p->at < p->argc ? p->argv[p->at] : "";
        bool spelled = strcmp(next, "on") == 0 || strcmp(next, "off") == 0;
        return set_param(p, param->name, spelled ? p->argv[p->at++] : "on");
    }
    const char *value = take_value(p, attached);
    return value ? set_param(p, param->name, value) : reject_bare(param->name, param->arg);
}

static int parse_long(parser *p, const char *text)
{
    const char *name = text + 2;
    size_t len = strcspn(name, "=");
    const char *attached = name[len] ? name + len + 1 : NULL;
    bool denied;
    const od_option *option = find_option(p->verb, name, len);
    if (option) return apply_option(p, option, attached);
    const odim_param_info *param = find_param(p->verb, name, len, &denied);
    return param ? apply_param(p, param, denied, attached) : reject_unknown(p->verb, text);
}

static int parse_short(parser *p, const char *text)
{
    const od_option *option = find_letter(p->verb, text[1]);
    /* Letters are not bundled: what follows one that takes no value is a long name with a dash too few. */
    if (!option || (!option->arg && text[2])) return reject_unknown(p->verb, text);
    return apply_option(p, option, text[2] ? text + 2 : NULL);
}

int od_args_parse(const od_verb *verb, int argc, char **argv, void *settings, odim_params *params,
                  const char **operand)
{
    parser p = {.verb = verb, .argc = argc, .argv = argv, .settings = settings, .params = params};
    bool only_operands = false;
    *operand = NULL;
    while (p.at < argc) {
        const char *text = argv[p.at++];
        if (only_operands || text[0] != '-' || strcmp(text, "-") == 0) {
            if (*operand) {
                od_say("unexpected argument '%s' after '%s'", text, *operand);
                return OD_EXIT_USAGE;
            }
            *operand = text;
        } else if (strcmp(text, "--") == 0) {
            only_operands = true;
        } else if (strcmp(text, "--help") == 0 || strcmp(text, "-h") == 0) {
            od_help_print(verb, stdout);
            return OD_EXIT_OK;
        } else {
            int code = text[1] == '-' ? parse_long(&p, text) : parse_short(&p, text);
            if (code >= 0) return code;
        }
    }
    return -1;
}
