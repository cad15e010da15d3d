/* Reads FlatBuffers without trusting any offset in them. Arrow's are always little endian. */
#include "io/flatbuf.h"

#define OFFSET 4 /* bytes of an offset */
#define SLOT   2 /* bytes of the description of a slot */

static bool is_inside(od_flatbuf *b, size_t at, size_t len)
{
    bool inside = at <= b->size && len <= b->size - at;
    if (!inside) b->bad = true;
    return inside;
}

/* The bytes are inside. */
static uint64_t load(const uint8_t *p, size_t width)
{
    uint64_t value = 0;
    for (size_t k = 0; k < width; k++) value |= (uint64_t)p[k] << 8 * k;
    return value;
}

static int64_t load_signed(const uint8_t *p, size_t width)
{
    int shift = (int)(64 - 8 * width);
    return (int64_t)(load(p, width) << shift) >> shift;
}

/* Follows the offset at `at`. */
static bool follow(od_flatbuf *b, size_t at, size_t *to)
{
    if (!is_inside(b, at, OFFSET)) return false;
    *to = at + (size_t)load(b->bytes + at, OFFSET);
    return is_inside(b, *to, OFFSET);
}

/* A table begins with the distance back to the description of its slots, which begins with its own size. */
static bool open_table(od_flatbuf *b, size_t at, od_flat_table *out)
{
    if (!is_inside(b, at, OFFSET)) return false;
    int64_t slots = (int64_t)at - load_signed(b->bytes + at, OFFSET);
    if (slots < 0 || !is_inside(b, (size_t)slots, 2 * SLOT)) {
        b->bad = true;
        return false;
    }
    size_t size = (size_t)load(b->bytes + slots, SLOT);
    if (size < 2 * SLOT || !is_inside(b, (size_t)slots, size)) {
        b->bad = true;
        return false;
    }
    *out = (od_flat_table){b, at, (size_t)slots + 2 * SLOT, size / SLOT - 2};
    return true;
}

bool od_flat_root(od_flatbuf *b, od_flat_table *out)
{
    size_t at;
    return follow(b, 0, &at) && open_table(b, at, out);
}

/* Where a slot is, `len` bytes of it being inside. False: absent. */
static bool find_slot(const od_flat_table *t, int slot, size_t len, size_t *at)
{
    if ((size_t)slot >= t->count) return false;
    size_t offset = (size_t)load(t->in->bytes + t->slots + (size_t)slot * SLOT, SLOT);
    *at = t->at + offset;
    return offset && is_inside(t->in, *at, len);
}

bool od_flat_child(const od_flat_table *t, int slot, od_flat_table *out)
{
    size_t at, to;
    return find_slot(t, slot, OFFSET, &at) && follow(t->in, at, &to) && open_table(t->in, to, out);
}

int64_t od_flat_int(const od_flat_table *t, int slot, size_t width, int64_t absent)
{
    size_t at;
    return find_slot(t, slot, width, &at) ? load_signed(t->in->bytes + at, width) : absent;
}

od_flat_vector od_flat_items(const od_flat_table *t, int slot, size_t width)
{
    size_t at, to;
    od_flat_vector none = {.in = t->in, .width = width};
    if (!find_slot(t, slot, OFFSET, &at) || !follow(t->in, at, &to)) return none;
    size_t count = (size_t)load(t->in->bytes + to, OFFSET);
    if (count > t->in->size / width || !is_inside(t->in, to + OFFSET, count * width)) {
        t->in->bad = true;
        return none;
    }
    return (od_flat_vector){t->in, to + OFFSET, count, width};
}

const char *od_flat_text(const od_flat_table *t, int slot, size_t *len)
{
    od_flat_vector v = od_flat_items(t, slot, 1);
    *len = v.count;
    return v.at ? (const char *)v.in->bytes + v.at : NULL;
}

int64_t od_flat_item_int(const od_flat_vector *v, size_t i, size_t from, size_t width)
{
    return load_signed(v->in->bytes + v->at + i * v->width + from, width);
}

bool od_flat_item_table(const od_flat_vector *v, size_t i, od_flat_table *out)
{
    size_t to;
    return follow(v->in, v->at + i * v->width, &to) && open_table(v->in, to, out);
}
