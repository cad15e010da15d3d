/*
 * The flags of a verb: its own options, the library's parameters where it takes them, and the few that every
 * verb has. Whatever lists or finds flags does it through here (the parser, the help, the settings file, the
 * completion scripts, the manual), so that a new option or parameter is known everywhere at once.
 */
#ifndef CLI_FLAGS_H
#define CLI_FLAGS_H

#include "odim.h"
#include "verb.h"

typedef struct cli_flag {
    const char *name; /* without its dashes */
    char letter;      /* 0: none */
    const char *arg;  /* NULL: a switch */
    const char *also; /* of a switch: the value it takes only with '=', as in --keep=safe; else NULL */
    const char *group;
    const char *help;
    const char *def;          /* a parameter's default; NULL for an option */
    const cli_option *option; /* NULL: it is a parameter */
    int slot;                 /* from 0; flags that set the same thing have the same */
} cli_flag;

/* The flags one by one, all of a group together, the groups as they first occur. Start with {.verb = verb}.
 */
typedef struct cli_flags {
    const cli_verb *verb;
    int group, at;
    bool heading; /* the flag just given is the first of its group */
} cli_flags;

/* False: there are no more. */
bool cli_flags_next(cli_flags *flags, cli_flag *flag);

/* False: there is none of that name, or letter. The name need not end in '\0'. */
bool cli_flags_find(const cli_verb *verb, const char *name, size_t len, cli_flag *flag);
bool cli_flags_find_letter(const cli_verb *verb, char letter, cli_flag *flag);

/* More than any slot. */
int cli_flags_count(const cli_verb *verb);

/* Whether it has a "no-" form: a switch, or a parameter that is on or off. */
bool cli_flags_deniable(const cli_flag *flag);
/* The option that is its opposite by name, such as no-header of header; false: there is none. */
bool cli_flags_opposite(const cli_verb *verb, const cli_flag *flag, cli_flag *other);
/* Whether it can stand in a settings file, as opposed to what only a command line can ask for. */
bool cli_flags_is_setting(const cli_flag *flag);

/* The next of the choices "a|b|c": its length, 0 at the end; *choices moves behind it. */
size_t cli_flags_choice(const char **choices, const char **choice);

#endif
