/* The flags of a verb. */
#include "flags.h"

#include <string.h>

/* What args answers itself. The first ones make sense only for a verb that has anything to set. */
static const cli_option general[] = {
    {"config", 0, "FILE", "General", "read settings from FILE; the command line overrides them",
     CLI_OPTION_CONFIG, 0, 0},
    {"init-config", 0, NULL, "General", "print a settings file with every setting and its default",
     CLI_OPTION_INIT_CONFIG, 0, 0},
    {"help", 'h', "all", "General", "show the common options; all: every option, by group", CLI_OPTION_HELP,
     0, 0},
};
enum { GENERAL = sizeof general / sizeof *general };

static bool takes(const cli_verb *verb, const odim_param_info *param)
{
    for (const char *const *name = verb->without; name && *name; name++)
        if (strcmp(*name, param->name) == 0 || strcmp(*name, param->group) == 0) return false;
    return verb->params;
}

/* Parameter number `index` of those that the verb takes; NULL: there are fewer. */
static const odim_param_info *param_at(const cli_verb *verb, int index)
{
    for (int i = 0; i < odim_param_count(); i++)
        if (takes(verb, odim_param_at(i)) && index-- == 0) return odim_param_at(i);
    return NULL;
}

static int param_count(const cli_verb *verb)
{
    int count = 0;
    for (int i = 0; i < odim_param_count(); i++) count += takes(verb, odim_param_at(i));
    return count;
}

/* What needs no operand, such as help, only prints. */
static bool has_settings(const cli_verb *verb)
{
    return (verb->option_count > 0 || verb->params) && verb->usage[0] != '[';
}

static void from_option(cli_flag *flag, const cli_option *option)
{
    bool alone = option->kind == CLI_OPTION_SWITCH || option->kind == CLI_OPTION_HELP;
    *flag = (cli_flag){.name = option->name,
                       .letter = option->letter,
                       .arg = alone ? NULL : option->arg,
                       .also = alone ? option->arg : NULL,
                       .group = option->group,
                       .help = option->help,
                       .option = option};
}

static void from_param(cli_flag *flag, const odim_param_info *param)
{
    *flag = (cli_flag){.name = param->name,
                       .arg = param->arg,
                       .group = param->group,
                       .help = param->help,
                       .def = param->def};
}

/* The flag at a place in the tables: options, parameters, what is general. */
static bool at(const cli_verb *verb, int index, cli_flag *flag)
{
    int params = verb->option_count, rest = params + param_count(verb);
    int place = index - rest + (has_settings(verb) ? 0 : GENERAL - 1);
    if (index < params)
        from_option(flag, &verb->options[index]);
    else if (index < rest)
        from_param(flag, param_at(verb, index - params));
    else if (place < GENERAL)
        from_option(flag, &general[place]);
    else
        return false;
    flag->slot = index;
    /* --header and --no-header set one thing. */
    for (int i = 0; i < index && index < params; i++)
        if (verb->options[i].offset == flag->option->offset) flag->slot = i;
    return true;
}

static bool is_first_of_group(const cli_verb *verb, int index)
{
    cli_flag flag, earlier;
    at(verb, index, &flag);
    for (int i = 0; i < index; i++)
        if (at(verb, i, &earlier) && strcmp(earlier.group, flag.group) == 0) return false;
    return true;
}

bool cli_flags_next(cli_flags *flags, cli_flag *flag)
{
    const cli_verb *verb = flags->verb;
    cli_flag first;
    for (; at(verb, flags->group, &first); flags->at = ++flags->group) {
        if (!is_first_of_group(verb, flags->group)) continue;
        while (at(verb, flags->at, flag)) {
            flags->heading = flags->at == flags->group;
            flags->at++;
            if (strcmp(flag->group, first.group) == 0) return true;
        }
    }
    return false;
}

bool cli_flags_find(const cli_verb *verb, const char *name, size_t len, cli_flag *flag)
{
    for (int i = 0; at(verb, i, flag); i++)
        if (strlen(flag->name) == len && memcmp(flag->name, name, len) == 0) return true;
    return false;
}

bool cli_flags_find_letter(const cli_verb *verb, char letter, cli_flag *flag)
{
    for (int i = 0; at(verb, i, flag); i++)
        if (flag->letter && flag->letter == letter) return true;
    return false;
}

int cli_flags_count(const cli_verb *verb)
{
    return verb->option_count + param_count(verb) + GENERAL;
}

bool cli_flags_deniable(const cli_flag *flag)
{
    return flag->option ? flag->option->kind == CLI_OPTION_SWITCH : strcmp(flag->arg, "on|off") == 0;
}

bool cli_flags_opposite(const cli_verb *verb, const cli_flag *flag, cli_flag *other)
{
    for (int i = 0; i < verb->option_count && at(verb, i, other); i++)
        if (strncmp(other->name, "no-", 3) == 0 && strcmp(other->name + 3, flag->name) == 0) return true;
    return false;
}

bool cli_flags_is_setting(const cli_flag *flag)
{
    return !flag->option || flag->option->kind < CLI_OPTION_CONFIG;
}

size_t cli_flags_choice(const char **choices, const char **choice)
{
    size_t len = strcspn(*choices, "|");
    *choice = *choices;
    *choices += len + ((*choices)[len] == '|');
    return len;
}
