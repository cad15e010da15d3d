/* tests: options_apply. Options that mean nothing for a format. */
#include "prep/options_apply.h"

#include "test.h"

static const char *why(od_format format, const odim_read_options *o)
{
    static odim_error err;
    err.msg[0] = '\0';
    odim_status status = od_options_apply(o, format, &err);
    CHECK_INT(status, err.msg[0] ? ODIM_ERR_PARAM : ODIM_OK);
    return err.msg;
}

TEST(of_files)
{
    const odim_read_options none = {0}, sheet = {.sheet = "1"}, pixels = {.pixels = "8x8"},
                            entry = {.entry = "a"};
    for (od_format f = OD_FORMAT_AUTO; f <= OD_FORMAT_SQLITE; f++) CHECK_STR(why(f, &none), "");
    CHECK_STR(why(OD_FORMAT_XLSX, &sheet), "");
    CHECK_STR(why(OD_FORMAT_CSV, &sheet), "it is not a workbook: sheet does not apply");
    CHECK_STR(why(OD_FORMAT_AUTO, &sheet), "it is a query: sheet does not apply");
    CHECK_STR(why(OD_FORMAT_XLSX, &pixels), "it is not a folder of pictures: pixels does not apply");
    CHECK_STR(why(OD_FORMAT_CSV, &entry), ""); /* it may be in an archive */
    CHECK_STR(why(OD_FORMAT_AUTO, &entry), "it is a query: entry does not apply");
}

TEST(of_folders)
{
    odim_error err;
    const odim_read_options fine = {.pixels = "8x8", .id = ""}, sql = {.sql = "SELECT 1"};
    CHECK_INT(od_options_apply_folder(&fine, &err), ODIM_OK);
    CHECK_INT(od_options_apply_folder(&sql, &err), ODIM_ERR_PARAM);
    CHECK_STR(err.msg, "it is a folder of pictures: sql does not apply");
}

int main(void)
{
    RUN(of_files);
    RUN(of_folders);
    return test_end();
}
