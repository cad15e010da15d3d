/* tests: sha256. SHA-256. */
#include "sha256.h"

#include "test.h"

/* As openssl has them; the lengths are those at which the padding changes. */
TEST(known_values)
{
    static char a[1000];
    char out[CLI_SHA256_TEXT];
    memset(a, 'a', sizeof a);
    cli_sha256_base64("", 0, out);
    CHECK_STR(out, "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
    cli_sha256_base64("abc", 3, out);
    CHECK_STR(out, "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
    cli_sha256_base64(a, 55, out);
    CHECK_STR(out, "n0OQ+NMMLdkuyfCVtl4rmumwqSWlJY4kHJ8ekQ9zQxg=");
    cli_sha256_base64(a, 64, out);
    CHECK_STR(out, "/+BU/nrgy23GXDr5th1SCfQ5hR20PQulmXM33xVGaOs=");
    cli_sha256_base64(a, 1000, out);
    CHECK_STR(out, "Qe3s5C1j6Nm/UVqbppMuHCDLyfWl0TRkWttdsblzfqM=");
}

int main(void)
{
    RUN(known_values);
    return test_end();
}
