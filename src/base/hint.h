/* Hints in messages that name an option, in the words of the program around the library. */
#ifndef OD_HINT_H
#define OD_HINT_H

#define OD_HINT_ROOM 160

/* Writes " (set na)", " (--na)" or "", as odim_hints_set has it, for names such as "na" or "only|ignore", as
 * odim_read_options spells them. A value goes with the last name; NULL: none. Returns buf. */
const char *od_hint_write(char buf[OD_HINT_ROOM], const char *names, const char *value);

/* For the arguments of a format: the text lives as long as the block around it. */
#define OD_HINT(names)           od_hint_write((char[OD_HINT_ROOM]){0}, names, NULL)
#define OD_HINT_TO(names, value) od_hint_write((char[OD_HINT_ROOM]){0}, names, value)

#endif
