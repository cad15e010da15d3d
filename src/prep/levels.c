/* A hash table from the texts of levels to their codes. */
#include "prep/levels.h"

#include <string.h>

#include "common/mem.h"

static size_t hash(const char *text, size_t len)
{
    uint64_t h = UINT64_C(0xCBF29CE484222325);
    for (size_t i = 0; i < len; i++) h = (h ^ (unsigned char)text[i]) * UINT64_C(0x100000001B3);
    return (size_t)(h ^ h >> 32);
}

static bool is_level(const od_levels *l, uint32_t code, const char *text, size_t len)
{
    const char *own = od_strlist_at(&l->texts, code);
    return strncmp(own, text, len) == 0 && own[len] == '\0';
}

/* Where the text is, or the free slot where it belongs. */
static size_t place(const od_levels *l, const char *text, size_t len)
{
    size_t at = hash(text, len) & (l->slots - 1);
    while (l->slot[at] && !is_level(l, l->slot[at] - 1, text, len)) at = (at + 1) & (l->slots - 1);
    return at;
}

static odim_status rebuild(od_levels *l, odim_error *err)
{
    size_t slots = l->slots ? l->slots * 2 : 64;
    uint32_t *slot = od_calloc(slots, sizeof *slot);
    if (!slot) return od_fail_nomem(err);
    od_free(l->slot);
    l->slot = slot;
    l->slots = slots;
    for (uint32_t i = 0; i < l->texts.count; i++) {
        const char *text = od_strlist_at(&l->texts, i);
        slot[place(l, text, strlen(text))] = i + 1;
    }
    return ODIM_OK;
}

odim_status od_levels_code(od_levels *l, const char *text, size_t len, uint32_t *code, odim_error *err)
{
    odim_status status;
    if (2 * (l->texts.count + 1) > l->slots && (status = rebuild(l, err))) return status;
    size_t at = place(l, text, len);
    if (!l->slot[at]) {
        /* Once one is left out so are all others, whatever their length: its code must stay free. */
        l->overflow |= l->texts.count == OD_LEVELS_MOST || l->texts.used + len > OD_LEVELS_BYTES;
        if (l->overflow) {
            *code = (uint32_t)l->texts.count;
            return ODIM_OK;
        }
        if ((status = od_strlist_add(&l->texts, text, len, err))) return status;
        l->slot[at] = (uint32_t)l->texts.count;
    }
    *code = l->slot[at] - 1;
    return ODIM_OK;
}

odim_status od_levels_merge(od_levels *l, const od_levels *later, uint32_t *code, odim_error *err)
{
    odim_status status = ODIM_OK;
    for (size_t i = 0; !status && i < later->texts.count; i++) {
        const char *text = od_strlist_at(&later->texts, i);
        status = od_levels_code(l, text, strlen(text), &code[i], err);
    }
    /* What was too much for a part of the rows is too much for all, but for which texts it was. */
    l->overflow |= later->overflow;
    code[later->texts.count] = (uint32_t)l->texts.count;
    return status;
}

odim_status od_levels_copy(od_levels *to, const od_levels *from, odim_error *err)
{
    odim_status status = ODIM_OK;
    uint32_t code;
    for (size_t i = 0; !status && i < from->texts.count; i++) {
        const char *text = od_strlist_at(&from->texts, i);
        status = od_levels_code(to, text, strlen(text), &code, err);
    }
    to->overflow = from->overflow;
    return status;
}

bool od_levels_equal(const od_levels *a, const od_levels *b)
{
    if (a->texts.count != b->texts.count || a->overflow != b->overflow) return false;
    for (size_t i = 0; i < a->texts.count; i++)
        if (strcmp(od_strlist_at(&a->texts, i), od_strlist_at(&b->texts, i)) != 0) return false;
    return true;
}

int64_t od_levels_find(const od_levels *l, const char *text, size_t len)
{
    return l->slots ? (int64_t)l->slot[place(l, text, len)] - 1 : -1;
}

/* The last one that was put into a table of this kind can be taken out of it as if it had never been there.
 */
void od_levels_cut(od_levels *l, int64_t count)
{
    for (size_t i = l->texts.count; i-- > (size_t)count; l->texts.count--) {
        const char *text = od_strlist_at(&l->texts, i);
        l->slot[place(l, text, strlen(text))] = 0;
        l->texts.used = l->texts.start[i];
    }
    l->overflow = false;
}

void od_levels_free(od_levels *l)
{
    od_strlist_free(&l->texts);
    od_free(l->slot);
    *l = (od_levels){0};
}
