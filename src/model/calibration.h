/* Placeholder until the calibration branch lands. */
#ifndef OD_CALIBRATION_H
#define OD_CALIBRATION_H

typedef struct od_calibration {
    double value[16];
} od_calibration;

#endif
