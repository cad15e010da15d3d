/* Parses the header of an IDX file. */
#include "io/idx.h"

static bool find_type(unsigned char code, od_type *out)
{
    switch (code) {
    case 0x08: *out = OD_TYPE_U8; return true;
    case 0x09: *out = OD_TYPE_I8; return true;
    case 0x0B: *out = OD_TYPE_I16; return true;
    case 0x0C: *out = OD_TYPE_I32; return true;
    case 0x0D: *out = OD_TYPE_F32; return true;
    case 0x0E: *out = OD_TYPE_F64; return true;
    default: return false;
    }
}

bool od_idx_is(const unsigned char *bytes, size_t len)
{
    od_type type;
    return len >= 4 && bytes[0] == 0 && bytes[1] == 0 && find_type(bytes[2], &type) && bytes[3] > 0;
}

odim_status od_idx_header(od_source *src, od_dense *out, odim_error *err)
{
    unsigned char magic[4], length[4];
    size_t got;
    *out = (od_dense){.big_endian = true};
    odim_status status = od_source_fill(src, magic, sizeof magic, &got, err);
    if (status) return status;
    if (got < sizeof magic || magic[0] != 0 || magic[1] != 0)
        return od_fail(err, ODIM_ERR_FORMAT, "not an IDX file: it does not begin with two zero bytes");
    if (!find_type(magic[2], &out->type))
        return od_fail(err, ODIM_ERR_FORMAT, "IDX type %02X is not known; 08, 09, 0B, 0C, 0D and 0E are",
                       magic[2]);
    if (magic[3] > OD_DENSE_AXES)
        return od_fail(err, ODIM_ERR_FORMAT, "an IDX file of %d axes; at most %d can be read", magic[3],
                       OD_DENSE_AXES);
    for (out->axes = 0; out->axes < magic[3]; out->axes++) {
        status = od_source_fill(src, length, sizeof length, &got, err);
        if (status) return status;
        if (got < sizeof length)
            return od_fail(err, ODIM_ERR_FORMAT, "the IDX header ends too early: the file is truncated");
        out->shape[out->axes] = (int64_t)length[0] << 24 | length[1] << 16 | length[2] << 8 | length[3];
    }
    return od_dense_measure(out, err);
}
