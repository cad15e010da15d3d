/*
 * Ctrl-C and its kin. Normally a signal ends the program at once, with no temporary file left behind. While a
 * long call runs that looks at cli_signals_caught, the first one is only noted, so that the call can end in
 * order; a second one still ends the program at once.
 */
#ifndef CLI_SIGNALS_H
#define CLI_SIGNALS_H

#include <stdbool.h>

void cli_signals_install(void);

/* on: from here on cli_signals_caught is looked at; off: no longer. */
void cli_signals_defer(bool on);

/* The signal that came while deferred, 0 when none did. */
int cli_signals_caught(void);

/* Ends the program by a signal as if it had never been handled: who started it sees which one it was. Nothing
 * is tidied up. */
_Noreturn void cli_signals_die(int sig);

#endif
