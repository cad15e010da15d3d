/*
 * A verb of the command (`odim detect`), described once: main dispatches by it, args parses by it, help, the
 * manual and the completion scripts are made from it. Beside its own options a verb may take every parameter
 * of the library (odim_param_at) as an option; flags.h brings them together.
 */
#ifndef OD_VERB_H
#define OD_VERB_H

#include <stdbool.h>
#include <stddef.h>

enum { OD_EXIT_OK = 0, OD_EXIT_FAILED = 1, OD_EXIT_USAGE = 2 };

typedef enum od_option_kind {
    OD_OPTION_TEXT,   /* const char *: the value as it was typed; one of the choices where there are any */
    OD_OPTION_LIST,   /* char *: the values of all its uses joined by commas, to be freed */
    OD_OPTION_COUNT,  /* int64_t, at least 1 */
    OD_OPTION_NUMBER, /* double, finite */
    OD_OPTION_SWITCH, /* int, becomes `value`, or one more with the value that it may have (`arg`) */
    /* From here on: what every verb has (flags.c) and args answers itself. */
    OD_OPTION_CONFIG,
    OD_OPTION_INIT_CONFIG,
    OD_OPTION_HELP
} od_option_kind;

typedef struct od_option {
    const char *name; /* "output": the flag without its dashes */
    char letter;      /* 'o', or 0 */
    const char *arg;  /* what to call the value in a usage line, "a|b" for a choice; of a switch the one value
                         that may follow a '=', or NULL */
    const char *group;
    const char *help;
    od_option_kind kind;
    int value;
    size_t offset; /* where in the verb's settings the value goes */
} od_option;

/* The operands of a verb that takes several. */
typedef struct od_operands {
    const char **text; /* (count) to be freed; the texts are the command line's */
    int count;
} od_operands;

typedef struct od_verb {
    const char *name;
    const char *summary; /* one line, no full stop */
    /* What follows the name in a usage line: the operand, in [] if optional and not there if a verb has none;
       the rest. */
    const char *usage;
    const char *examples; /* complete lines: two blanks, a command, two or more blanks, what it does */
    const char *more;     /* closing remarks, complete lines */
    const char *manual;   /* what only the manual says, in the form of od_roff_text; may be NULL */
    const od_option *options;
    int option_count;
    bool many;                         /* takes several operands, into the od_operands at the offset */
    size_t operands;                   /* `operands` of its settings */
    bool params;                       /* takes the library's parameters too */
    const char *const *without;        /* but for those of these names and groups, ended by NULL; or NULL */
    int (*run)(int argc, char **argv); /* of what follows the verb; returns the exit code */
} od_verb;

extern const od_verb od_detect_verb, od_fit_verb, od_score_verb, od_explain_verb, od_inspect_verb,
    od_eval_verb, od_trace_verb, od_report_verb, od_dp_budget_verb, od_help_verb, od_man_verb,
    od_completion_verb;

/* "odim": what the program is called. */
extern const char od_program[];
/* Lines of examples for the overview. */
extern const char od_examples[];
/* All verbs in the order of the overview, ended by NULL. */
extern const od_verb *const od_verbs[];
/* NULL when there is none of that name. */
const od_verb *od_verb_find(const char *name);

#endif
