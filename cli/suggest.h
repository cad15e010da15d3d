/* "Did you mean --members?": the candidate that is nearest to a mistyped word. */
#ifndef CLI_SUGGEST_H
#define CLI_SUGGEST_H

typedef struct cli_suggest {
    const char *word;
    const char *best; /* NULL while no candidate is near enough */
    int distance;     /* of the best */
} cli_suggest;

/* Start with {.word = "what was typed"} and offer every name there is. */
void cli_suggest_offer(cli_suggest *s, const char *candidate);

#endif
