/* Tells from the name of a column what it may hold. */
#include <string.h>

#include "prep/type_infer.h"

/* Whether one of the words of a name is in the list. "orderId", "order_id" and "Order ID" have the words
 * order and id. */
static bool has_word(const char *name, const char *list)
{
    while (*name) {
        char word[24];
        size_t len = 0;
        bool lower = false;
        for (; *name; name++) {
            char c = *name;
            bool upper = c >= 'A' && c <= 'Z';
            if (!upper && !(c >= 'a' && c <= 'z') && (unsigned char)c < 0x80) break;
            if (upper && lower) break; /* camelCase */
            lower = !upper;
            if (len + 3 < sizeof word) word[++len] = (char)(upper ? c + 32 : c);
        }
        word[0] = word[len + 1] = ' ';
        word[len + 2] = '\0';
        if (len && strstr(list, word)) return true;
        while (*name && !((*name >= 'A' && *name <= 'Z') || (*name >= 'a' && *name <= 'z') ||
                          (unsigned char)*name >= 0x80))
            name++;
    }
    return false;
}

bool od_type_is_id_name(const char *name)
{
    return has_word(
        name,
        " id ids nr no num number nummer numero key code uuid guid index idx unnamed row ref reference name "
        "sku isbn serial ean ");
}

bool od_type_is_code_name(const char *name)
{
    return has_word(
        name, " zip zipcode plz postcode postal postleitzahl cap cep pin pincode phone telephone telefon "
              "tel mobile fax iban bic ssn account konto ");
}

bool od_type_is_time_name(const char *name)
{
    return has_word(
        name, " time timestamp ts date datetime datum zeit epoch unix created updated modified seen at ");
}
