/*
 * The networks of an ensemble, ready for evaluation: for a thread that scores many small blocks, where
 * setting the parameters of each network for each block would cost more than the rows.
 */
#ifndef OD_READY_NETS_H
#define OD_READY_NETS_H

#include "net/net.h"

typedef struct od_ready_nets {
    const od_layout *layout;
    int64_t count;
    od_net *net;        /* of an IWAE one for all, which share its scratch; of a flow one for each */
    int64_t nets;       /* number of them */
    float *folded;      /* (count, parameters without batch normalization) */
    const float **eval; /* (count) parameters for evaluation of an IWAE */
} od_ready_nets;

/* For `count` networks of a layout, which must outlive them. */
odim_status od_ready_nets_new(od_ready_nets *r, const od_kern *kern, const od_layout *layout, int64_t count,
                              const od_net_options *o, odim_error *err);
void od_ready_nets_free(od_ready_nets *r);
/* Sets the parameters of a network, which must not change from here on. */
void od_ready_nets_set(od_ready_nets *r, int64_t index, const float *params, const float *stats);
/* The network, for od_net_loss until the next call. */
od_net *od_ready_nets_at(od_ready_nets *r, int64_t index);

#endif
