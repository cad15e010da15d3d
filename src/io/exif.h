/* The orientation of a picture, from the EXIF data of a JPEG file. */
#ifndef OD_EXIF_H
#define OD_EXIF_H

#include <stddef.h>

/* `bytes` is the content of an APP1 segment, which may be cut. 1 to 8 as EXIF counts them; 1, upright, if
 * there is nothing valid. */
int od_exif_orientation(const unsigned char *bytes, size_t len);

#endif
