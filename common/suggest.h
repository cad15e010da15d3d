/* "Did you mean --members?": the candidate that is nearest to a mistyped word. */
#ifndef OD_SUGGEST_H
#define OD_SUGGEST_H

typedef struct od_suggest {
    const char *word;
    const char *best; /* NULL while no candidate is near enough */
    int distance;     /* of the best */
} od_suggest;

/* Start with {.word = "what was typed"} and offer every name there is. */
void od_suggest_offer(od_suggest *s, const char *candidate);

#endif
