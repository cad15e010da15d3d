/* The command line of a verb. */
#include "args.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "config_file.h"
#include "flags.h"
#include "help.h"
#include "log.h"
#include "common/suggest.h"

enum { COMMAND_LINE = -1 };

typedef struct parser {
    const cli_verb *verb;
    int argc, at;
    char **argv;
    void *settings;
    odim_params *params;
    const char *config;
    cli_config_file *file; /* what is being read; NULL: the command line */
    int *given;            /* by slot: 0 not yet, COMMAND_LINE, or the line of the file */
} parser;

/* Says what is wrong and where. Names of flags in it are to be written with dashes(). */
static int refuse(const parser *p, const char *fmt, ...)
{
    char text[2 * PATH_MAX];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    if (p->file)
        cli_log("%s: line %d: %s", p->file->path, p->file->line, text);
    else
        cli_log("%s", text);
    return CLI_EXIT_USAGE;
}

static const char *dashes(const parser *p)
{
    return p->file ? "" : "--";
}

/* The name of a flag that is near to `word`, which begins with "no-" where *no is set to that; NULL: none. */
static const char *find_near(const parser *p, const char *word, const char **no)
{
    od_suggest s = {.word = word}, denied = {.word = strncmp(word, "no-", 3) == 0 ? word + 3 : ""};
    cli_flags flags = {.verb = p->verb};
    for (cli_flag flag; cli_flags_next(&flags, &flag);) {
        if (p->file && !cli_flags_is_setting(&flag)) continue;
        od_suggest_offer(&s, flag.name);
        if (!p->file && cli_flags_deniable(&flag)) od_suggest_offer(&denied, flag.name);
    }
    *no = denied.best ? "no-" : "";
    return denied.best ? denied.best : s.best;
}

static int reject_unknown(const parser *p, const char *text)
{
    const char *name = text + strspn(text, "-"), *no;
    size_t len = strcspn(name, "=");
    char word[64];
    if (len >= sizeof word) len = sizeof word - 1;
    memcpy(word, name, len);
    word[len] = '\0';

    const char *near = find_near(p, word, &no);
    int shown = (int)strcspn(text, "=");
    const char *what = p->file ? "setting" : "option";
    if (near)
        return refuse(p, "unknown %s %.*s; did you mean %s%s%s?", what, shown, text, dashes(p), no, near);
    return refuse(p, "unknown %s %.*s; '%s %s%s%s' lists them", what, shown, text, cli_program,
                  p->file ? "" : "help ", p->verb->name, p->file ? " --init-config" : " --all");
}

/* ---- setting one thing ------------------------------------------------------------------------------ */

static int set_param(const parser *p, const char *name, const char *value)
{
    odim_error err;
    if (odim_params_set(p->params, name, value, &err) == ODIM_OK) return -1;
    /* The library says "members must be ..."; here that is an option. */
    refuse(p, "%s%s", strncmp(err.msg, name, strlen(name)) == 0 ? dashes(p) : "", err.msg);
    return err.status == ODIM_ERR_PARAM ? CLI_EXIT_USAGE : CLI_EXIT_FAILED;
}

static int append(char **list, const char *value)
{
    size_t old = *list ? strlen(*list) : 0, more = strlen(value);
    char *longer = realloc(*list, old + more + 2);
    if (!longer) {
        cli_log("out of memory");
        return CLI_EXIT_FAILED;
    }
    if (old) longer[old++] = ',';
    memcpy(longer + old, value, more + 1);
    *list = longer;
    return -1;
}

static int set_count(const parser *p, const cli_option *option, const char *value, int64_t *where)
{
    char *end;
    errno = 0;
    long long count = strtoll(value, &end, 10);
    if (end == value || *end || count < 1 || errno)
        return refuse(p, "%s%s must be a whole number of at least 1, not '%s'", dashes(p), option->name,
                      value);
    *where = count;
    return -1;
}

static int set_number(const parser *p, const cli_option *option, const char *value, double *where)
{
    char *end;
    double number = strtod(value, &end);
    if (end == value || *end || !isfinite(number))
        return refuse(p, "%s%s must be a number, not '%s'", dashes(p), option->name, value);
    *where = number;
    return -1;
}

/* Whether value is one of "a|b|c". */
static bool is_choice(const char *choices, const char *value)
{
    const char *choice;
    for (size_t len; (len = cli_flags_choice(&choices, &choice));)
        if (strlen(value) == len && memcmp(value, choice, len) == 0) return true;
    return false;
}

static int set_text(const parser *p, const cli_option *option, const char *value, const char **where)
{
    if (strchr(option->arg, '|') && !is_choice(option->arg, value))
        return refuse(p, "%s%s must be one of %s, not '%s'", dashes(p), option->name, option->arg, value);
    *where = value;
    return -1;
}

static void *place_of(const parser *p, const cli_option *option)
{
    return (char *)p->settings + option->offset;
}

static int set_value(const parser *p, const cli_flag *flag, const char *value)
{
    const cli_option *option = flag->option;
    if (!option) return set_param(p, flag->name, value);
    if (option->kind == CLI_OPTION_LIST) return append(place_of(p, option), value);
    if (option->kind == CLI_OPTION_COUNT) return set_count(p, option, value, place_of(p, option));
    if (option->kind == CLI_OPTION_NUMBER) return set_number(p, option, value, place_of(p, option));
    return set_text(p, option, value, place_of(p, option));
}

/* Something that is on or off. To deny a switch is to set its opposite where it has one (--no-header), else
 * to take it back. */
static int set_switch(const parser *p, const cli_flag *flag, bool on)
{
    if (!flag->option) return set_param(p, flag->name, on ? "on" : "off");
    cli_flag other;
    int denied = cli_flags_opposite(p->verb, flag, &other) ? other.option->value : 0;
    *(int *)place_of(p, flag->option) = on ? flag->option->value : denied;
    return -1;
}

/* ---- the command line ------------------------------------------------------------------------------- */

/* The value of an option: after '=' (or the letter), otherwise the next argument. NULL: missing. */
static const char *take_value(parser *p, const char *attached)
{
    if (attached) return attached;
    /* What begins with two dashes is the next option, more likely than a value: "--label --json". */
    if (p->at == p->argc || strncmp(p->argv[p->at], "--", 2) == 0) return NULL;
    return p->argv[p->at++];
}

/* An on|off parameter may stand alone. */
static int apply_onoff(parser *p, const cli_flag *flag, const char *attached)
{
    const char *next = p->at < p->argc ? p->argv[p->at] : "";
    if (attached) return set_value(p, flag, attached);
    if (strcmp(next, "on") == 0 || strcmp(next, "off") == 0) return set_value(p, flag, p->argv[p->at++]);
    return set_switch(p, flag, true);
}

/* A switch with its value: --keep=safe. */
static int set_also(const parser *p, const cli_flag *flag)
{
    *(int *)place_of(p, flag->option) = flag->option->value + 1;
    return -1;
}

static int answer_help(const parser *p, bool all)
{
    cli_help_print(p->verb, all, stdout);
    return CLI_EXIT_OK;
}

static int apply_attached(const parser *p, const cli_flag *flag, const char *value)
{
    if (!flag->also) return refuse(p, "--%s takes no value", flag->name);
    if (strcmp(value, flag->also) == 0)
        return flag->option->kind == CLI_OPTION_HELP ? answer_help(p, true) : set_also(p, flag);
    return refuse(p, "it is --%s or --%s=%s, not --%s=%s", flag->name, flag->name, flag->also, flag->name,
                  value);
}

static int apply_bare(const parser *p, const cli_flag *flag)
{
    if (flag->option->kind == CLI_OPTION_SWITCH) return set_switch(p, flag, true);
    if (flag->option->kind == CLI_OPTION_HELP) return answer_help(p, false);
    cli_config_file_print(p->verb, stdout);
    return CLI_EXIT_OK;
}

static int apply_config(parser *p, const char *value)
{
    if (p->config)
        return refuse(p, "--config is there twice, for %s and %s; one file is read", p->config, value);
    p->config = value;
    return -1;
}

static int apply(parser *p, const cli_flag *flag, const char *attached)
{
    p->given[flag->slot] = COMMAND_LINE;
    if (!flag->arg) return attached ? apply_attached(p, flag, attached) : apply_bare(p, flag);
    if (cli_flags_deniable(flag)) return apply_onoff(p, flag, attached);
    const char *value = take_value(p, attached);
    if (!value) return refuse(p, "--%s needs a value: --%s %s", flag->name, flag->name, flag->arg);
    bool config = flag->option && flag->option->kind == CLI_OPTION_CONFIG;
    return config ? apply_config(p, value) : set_value(p, flag, value);
}

static int parse_long(parser *p, const char *text)
{
    const char *name = text + 2;
    size_t len = strcspn(name, "=");
    const char *attached = name[len] ? name + len + 1 : NULL;
    cli_flag flag;
    if (cli_flags_find(p->verb, name, len, &flag)) return apply(p, &flag, attached);
    bool denied = len > 3 && strncmp(name, "no-", 3) == 0 &&
                  cli_flags_find(p->verb, name + 3, len - 3, &flag) && cli_flags_deniable(&flag);
    if (!denied) return reject_unknown(p, text);
    if (attached) return refuse(p, "--no-%s takes no value", flag.name);
    p->given[flag.slot] = COMMAND_LINE;
    return set_switch(p, &flag, false);
}

static int parse_short(parser *p, const char *text)
{
    cli_flag flag;
    /* Letters are not bundled: what follows one that takes no value is a long name with a dash too few. */
    bool found = cli_flags_find_letter(p->verb, text[1], &flag) && (flag.arg || !text[2]);
    return found ? apply(p, &flag, text[2] ? text + 2 : NULL) : reject_unknown(p, text);
}

static int add_operand(const parser *p, const char *text)
{
    cli_operands *all = (cli_operands *)((char *)p->settings + p->verb->operands);
    const char **more = realloc(all->text, (size_t)(all->count + 1) * sizeof *more);
    if (!more) {
        cli_log("out of memory");
        return CLI_EXIT_FAILED;
    }
    all->text = more;
    all->text[all->count++] = text;
    return -1;
}

static bool is_model(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && strcmp(dot, ".odim") == 0;
}

/* A second operand: often a model whose -m was forgotten. */
static int reject_operand(const parser *p, const char *first, const char *second)
{
    cli_flag flag;
    bool swapped = is_model(second);
    if (cli_flags_find(p->verb, "model", 5, &flag) && !p->given[flag.slot] && (swapped || is_model(first)))
        return refuse(p, "unexpected argument '%s' after '%s'; did you mean '%s %s -m %s %s'?", second, first,
                      cli_program, p->verb->name, swapped ? second : first, swapped ? first : second);
    return refuse(p, "unexpected argument '%s' after '%s'", second, first);
}

static int parse_line(parser *p, const char **operand)
{
    bool only_operands = false;
    while (p->at < p->argc) {
        const char *text = p->argv[p->at++];
        int code = -1;
        if (only_operands || text[0] != '-' || strcmp(text, "-") == 0) {
            bool alone = !p->verb->many || (*operand && (is_model(*operand) || is_model(text)));
            if (*operand && alone) return reject_operand(p, *operand, text);
            if (p->verb->many) code = add_operand(p, text);
            if (!*operand) *operand = text;
        } else if (strcmp(text, "--") == 0) {
            only_operands = true;
        } else {
            code = text[1] == '-' ? parse_long(p, text) : parse_short(p, text);
        }
        if (code >= 0) return code;
    }
    return -1;
}

/* ---- the settings file ------------------------------------------------------------------------------ */

/* 1 yes, 0 no, -1 neither. */
static int parse_yes(const char *value)
{
    if (strcmp(value, "yes") == 0 || strcmp(value, "on") == 0) return 1;
    return strcmp(value, "no") == 0 || strcmp(value, "off") == 0 ? 0 : -1;
}

static int apply_setting(const parser *p, const char *name, const char *value)
{
    cli_flag flag;
    if (!cli_flags_find(p->verb, name, strlen(name), &flag) || !cli_flags_is_setting(&flag))
        return reject_unknown(p, name);
    int *given = &p->given[flag.slot];
    if (*given == COMMAND_LINE) return -1;
    if (*given) return refuse(p, "%s is set in line %d already", name, *given);
    *given = p->file->line;
    if (!*value) return -1;
    if (!cli_flags_deniable(&flag)) return set_value(p, &flag, value);
    if (flag.also && strcmp(value, flag.also) == 0) return set_also(p, &flag);
    int yes = parse_yes(value);
    if (yes >= 0) return set_switch(p, &flag, yes);
    return refuse(p, "%s must be yes%s%s or no, not '%s'", name, flag.also ? ", " : "",
                  flag.also ? flag.also : "", value);
}

static int parse_file(parser *p)
{
    cli_config_file file;
    int code = cli_config_file_open(&file, p->config);
    p->file = &file;
    while (code < 0 && (code = cli_config_file_next(&file)) < 0 && file.name)
        code = apply_setting(p, file.name, file.value);
    p->file = NULL;
    return code;
}

int cli_args_parse(const cli_verb *verb, int argc, char **argv, void *settings, odim_params *params,
                   const char **operand)
{
    parser p = {.verb = verb, .argc = argc, .argv = argv, .settings = settings, .params = params};
    *operand = NULL;
    p.given = calloc((size_t)cli_flags_count(verb), sizeof *p.given);
    if (!p.given) {
        cli_log("out of memory");
        return CLI_EXIT_FAILED;
    }
    int code = parse_line(&p, operand);
    if (code < 0 && p.config) code = parse_file(&p);
    free(p.given);
    return code;
}

void cli_args_free(const cli_verb *verb, void *settings)
{
    for (int i = 0; i < verb->option_count; i++)
        if (verb->options[i].kind == CLI_OPTION_LIST)
            free(*(char **)((char *)settings + verb->options[i].offset));
    if (verb->many) free(((cli_operands *)((char *)settings + verb->operands))->text);
}

void *cli_args_place(const cli_verb *verb, void *settings, const char *name, cli_option_kind *kind)
{
    for (int i = 0; i < verb->option_count; i++) {
        if (strcmp(verb->options[i].name, name) != 0) continue;
        *kind = verb->options[i].kind;
        return (char *)settings + verb->options[i].offset;
    }
    return NULL;
}
