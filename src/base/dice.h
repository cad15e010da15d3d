/*
 * Randomness that nobody can foresee, for differential privacy: bytes of the operating system's generator.
 * Runs that are to repeat take them from a seed instead; then there is no privacy against those who know it.
 */
#ifndef OD_DICE_H
#define OD_DICE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/rng.h"
#include "base/status.h"

#define OD_DICE_POOL 4096

typedef struct od_dice {
    bool seeded;
    od_stream stream; /* if seeded */
    uint64_t block;   /* of the stream: the next one */
    size_t left;      /* bytes of the pool not given yet */
    int failed;       /* errno of the operating system, or 0 */
    unsigned char pool[OD_DICE_POOL];
} od_dice;

/* From the operating system. */
void od_dice_begin(od_dice *d);
/* From a seed: each member and purpose has dice of its own. */
void od_dice_begin_seeded(od_dice *d, uint64_t seed, uint32_t member, od_purpose purpose);

/* Once the operating system has failed, all that follows is zero, and od_dice_check says so: ask before using
 * what was drawn. */
odim_status od_dice_check(const od_dice *d, odim_error *err);

uint32_t od_dice_word(od_dice *d);
/* Standard normal numbers, by Box and Muller: with tails up to 37. */
void od_dice_normal(od_dice *d, double *x, int64_t n);

#endif
