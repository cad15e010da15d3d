/*
 * A verb of the command (`odim detect`), described once. Dispatch, parsing, help, manual and completion all
 * use this description. Besides its own options a verb may take every parameter of the library
 * (odim_param_at) as an option; flags.h brings them together.
 */
#ifndef CLI_VERB_H
#define CLI_VERB_H

#include <stdbool.h>
#include <stddef.h>

enum { CLI_EXIT_OK = 0, CLI_EXIT_FAILED = 1, CLI_EXIT_USAGE = 2 };

typedef enum cli_option_kind {
    CLI_OPTION_TEXT,   /* const char *: the value as it was typed; one of the choices where there are any */
    CLI_OPTION_LIST,   /* char *: the values of all its uses joined by commas, to be freed */
    CLI_OPTION_COUNT,  /* int64_t, at least 1 */
    CLI_OPTION_NUMBER, /* double, finite */
    CLI_OPTION_SWITCH, /* int, becomes `value`, or one more with the value that it may have (`arg`) */
    /* From here on: options of every verb (flags.c), which args handles itself. */
    CLI_OPTION_CONFIG,
    CLI_OPTION_INIT_CONFIG,
    CLI_OPTION_HELP
} cli_option_kind;

typedef struct cli_option {
    const char *name; /* "output": the flag without its dashes */
    char letter;      /* 'o', or 0 */
    const char *arg;  /* the name of the value in a usage line, "a|b" for a choice; for a switch the one
                         value that may follow a '=', or NULL */
    const char *group;
    const char *help;
    cli_option_kind kind;
    int value;
    size_t offset; /* where in the verb's settings the value goes */
} cli_option;

/* An option whose value goes to FIELD of the settings S; KIND without its prefix. A switch sets it to VALUE.
 */
#define CLI_OPTION(KIND, S, FIELD, NAME, LETTER, ARG, GROUP, HELP)                                           \
    {                                                                                                        \
        NAME, LETTER, ARG, GROUP, HELP, CLI_OPTION_##KIND, 0, offsetof(S, FIELD)                             \
    }
#define CLI_SWITCH(S, FIELD, VALUE, NAME, LETTER, ARG, GROUP, HELP)                                          \
    {                                                                                                        \
        NAME, LETTER, ARG, GROUP, HELP, CLI_OPTION_SWITCH, VALUE, offsetof(S, FIELD)                         \
    }

/* The operands of a verb that takes several. */
typedef struct cli_operands {
    const char **text; /* (count) to be freed; the texts are the command line's */
    int count;
} cli_operands;

/* Something that a verb cannot do without: an option, or the operand. */
typedef struct cli_need {
    const char *option; /* its name, "" for the operand; NULL ends a list */
    const char *what;   /* what to ask for: "a model: --model MODEL" */
} cli_need;

typedef struct cli_verb {
    const char *name;
    const char *summary; /* one line, no full stop */
    /* What follows the name in a usage line: the operand, in [] if optional and not there if a verb has none;
       the rest. */
    const char *usage;
    const char *examples; /* complete lines: two blanks, a command, two or more blanks, what it does */
    const char *more;     /* closing remarks, complete lines */
    const char *manual;   /* what only the manual says, in the form of cli_roff_text; may be NULL */
    /* The names of the options in the short help, ended by NULL; NULL: the verb has few, and all are shown.
     */
    const char *const *common;
    const cli_option *options;
    int option_count;
    bool many;                         /* takes several operands, into the cli_operands at the offset */
    size_t operands;                   /* `operands` of its settings */
    const cli_need *needs;             /* checked in this order; or NULL */
    bool params;                       /* takes the library's parameters too */
    const char *const *without;        /* but for those of these names and groups, ended by NULL; or NULL */
    int (*run)(int argc, char **argv); /* of what follows the verb; returns the exit code */
} cli_verb;

extern const cli_verb cli_detect_verb, cli_fit_verb, cli_score_verb, cli_explain_verb, cli_inspect_verb,
    cli_eval_verb, cli_trace_verb, cli_report_verb, cli_serve_verb, cli_dp_budget_verb, cli_help_verb,
    cli_version_verb, cli_man_verb, cli_completion_verb;

/* "odim": what the program is called. */
extern const char cli_program[];
/* Lines of examples for the overview. */
extern const char cli_examples[];
/* All verbs in the order of the overview, ended by NULL. */
extern const cli_verb *const cli_verbs[];
/* NULL when there is none of that name. */
const cli_verb *cli_verb_find(const char *name);

#endif
