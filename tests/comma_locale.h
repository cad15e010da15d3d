/* A locale with a decimal comma, for tests that it changes nothing. */
#ifndef COMMA_LOCALE_H
#define COMMA_LOCALE_H

#include <locale.h>
#include <stdbool.h>

#include "scratch.h"

#define NO_COMMA_LOCALE "no locale with a decimal comma"

/* Builds the locale. False where that is impossible; the reason has been printed. */
static inline bool comma_locale_build(void)
{
    char command[512];
    scratch_make();
    snprintf(command, sizeof command, TEST_DIR "/checks/locale.sh %s", scratch);
    return system(command) == 0 && setenv("LOCPATH", scratch, 1) == 0;
}

static inline void comma_locale_on(void)
{
    char number[8];
    if (!setlocale(LC_ALL, "de_DE")) abort();
    snprintf(number, sizeof number, "%.1f", 1.5);
    if (strcmp(number, "1,5")) abort();
}

static inline void comma_locale_off(void)
{
    setlocale(LC_ALL, "C");
}

#endif
