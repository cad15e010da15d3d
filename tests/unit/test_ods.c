/* tests: ods_book ods_sheet. OpenDocument spreadsheets, made here from their XML. */
#include "show_workbook.h"

#include "io/xlsx_sheet.h"
#include "starve.h"

#define ROOT                                                                                                 \
    "<office:document-content><office:automatic-styles><style:style "                                        \
    "style:name=\"ta1\"><style:table-properties "                                                            \
    "table:display=\"false\"/></style:style></office:automatic-styles><office:body>%s</office:body>"         \
    "</office:document-content>"

static bytes document(const char *body, const char *manifest)
{
    zip_maker z = {0};
    static char text[20000];
    zip_add(&z, "mimetype", "application/vnd.oasis.opendocument.spreadsheet", 46, 0);
    snprintf(text, sizeof text, ROOT, body);
    zip_add(&z, "content.xml", text, strlen(text), 1);
    if (manifest) zip_add(&z, "META-INF/manifest.xml", manifest, strlen(manifest), 0);
    return zip_end(&z);
}

static const char *show_with(const char *body, const char *manifest, const odim_read_options *o)
{
    bytes b = document(body, manifest);
    const char *text = show_bytes(b, o ? o : &(odim_read_options){0});
    drop(&b);
    return text;
}

static const char *show(const char *body, const odim_read_options *o)
{
    return show_with(body, NULL, o);
}

#define BOOK(...)       "<office:spreadsheet>" __VA_ARGS__ "</office:spreadsheet>"
#define SHEET(rows)     BOOK("<table:table table:name=\"a\">" rows "</table:table>")
#define ROW(cells)      "<table:table-row>" cells "</table:table-row>"
#define TEXT(t)         "<table:table-cell office:value-type=\"string\"><text:p>" t "</text:p></table:table-cell>"
#define TYPED(type, at) "<table:table-cell office:value-type=\"" type "\" office:" at "/>"
#define NUMBER(n)       TYPED("float", "value=\"" n "\"")
#define HEADER          ROW(TEXT("k") TEXT("v"))

TEST(types)
{
    CHECK_STR(show(SHEET(HEADER ROW(NUMBER("1") TYPED("percentage", "value=\"0.125\""))
                             ROW(NUMBER("2") TYPED("currency", "value=\"8.5\" office:currency=\"EUR\""))
                                 ROW(NUMBER("3") TYPED("date", "date-value=\"2024-05-01\""))
                                     ROW(NUMBER("4") TYPED("date", "date-value=\"2024-05-01T09:30:00\""))
                                         ROW(NUMBER("5") TYPED("time", "time-value=\"PT09H30M00S\""))
                                             ROW(NUMBER("6") TYPED("boolean", "boolean-value=\"true\""))
                                                 ROW(NUMBER("7") TYPED("time", "time-value=\"PT36H0M0.5S\""))
                                                     ROW(NUMBER("8") TYPED("time", "time-value=\"soon\""))),
                   NULL),
              "k,v\n1@2: 1,0.125\n2@3: 2,8.5\n3@4: 3,2024-05-01\n4@5: 4,2024-05-01T09:30:00\n"
              "5@6: 5,1899-12-31 09:30\n6@7: 6,true\n7@8: 7,1900-01-01 12:00:00.500\n8@9: 8,soon\n");
}

/* Paragraphs, blanks, spans; a note of a cell is not its text. */
TEST(texts)
{
    CHECK_STR(
        show(
            SHEET(
                HEADER ROW(NUMBER("1")
                               TEXT("a<text:s text:c=\"2\"/>b<text:s/>c<text:tab/>d<text:line-break/>e"))
                    ROW(NUMBER("2") TEXT("one</text:p><text:p>two <text:span>three</text:span>")) ROW(
                        NUMBER("3") "<table:table-cell office:value-type=\"string\"><office:annotation>"
                                    "<text:p>note</text:p></office:annotation><text:p>cell</text:p>"
                                    "</table:table-cell>")
                        ROW(NUMBER(
                            "4") "<table:table-cell office:value-type=\"string\" "
                                 "office:string-value=\"own\"><text:p>shown</text:p></table:table-cell>")
                            ROW(NUMBER(
                                "5") "<table:table-cell office:value-type=\"float\" "
                                     "office:value=\"1200\"><text:p>1.200,00 EUR</text:p></table:table-cell>")
                                ROW(NUMBER("6") TEXT(" "))),
            NULL),
        "k,v\n1@2: 1,a  b c\td\ne\n2@3: 2,one\ntwo three\n3@4: 3,cell\n4@5: 4,own\n5@6: 5,1200\n6@7: 6,\n");
}

#define REPEAT(n, cells) "<table:table-row table:number-rows-repeated=\"" n "\">" cells "</table:table-row>"
#define EMPTY(n)         "<table:table-cell table:number-columns-repeated=\"" n "\"/>"

TEST(repeated)
{
    CHECK_STR(
        show(SHEET(REPEAT("2", EMPTY("1024")) ROW(EMPTY("2") TEXT("a") TEXT("b") TEXT("c") EMPTY("16379"))
                       REPEAT("2", EMPTY("2") "<table:table-cell table:number-columns-repeated=\"2\" "
                                              "office:value-type=\"float\" office:value=\"7\"/>" NUMBER("8"))
                           REPEAT("2", EMPTY("16384")) ROW(EMPTY("2") NUMBER("1"))
                               REPEAT("1048569", EMPTY("16384"))),
             NULL),
        "a,b,c\n1@4: 7,7,8\n2@5: 7,7,8\n3@6: ,,\n4@7: ,,\n5@8: 1,,\n");
    /* Groups of rows, headers and merged cells. */
    CHECK_STR(show(SHEET("<table:table-header-rows>" ROW(TEXT("k") TEXT(
                       "v")) "</table:table-header-rows>"
                             "<table:table-row-group>" ROW(NUMBER("1") "<table:covered-table-cell/>")
                                 ROW(NUMBER("2") NUMBER("3")) "</table:table-row-group>"),
                   NULL),
              "k,v\n1@2: 1,\n2@3: 2,3\n");
}

TEST(errors_and_formulas)
{
    CHECK_STR(
        show(
            SHEET(HEADER ROW(
                NUMBER("1") "<table:table-cell table:formula=\"of:=1/0\" "
                            "office:value-type=\"string\" office:string-value=\"\" "
                            "calcext:value-type=\"error\"><text:p>#DIV/0!</text:p></table:table-cell>")
                      ROW(NUMBER("2") "<table:table-cell table:formula=\"of:=NA()\" "
                                      "office:value-type=\"string\"><text:p>#N/A</text:p></table:table-cell>")
                          ROW(NUMBER("3") "<table:table-cell table:formula=\"of:=1\"/>") ROW(NUMBER("4") TEXT(
                              "#4")) ROW(NUMBER("5") "<table:table-cell table:formula=\"of:=1+1\" "
                                                     "office:value-type=\"float\" office:value=\"2\"/>")),
            NULL),
        "k,v\n1@2: 1,\n2@3: 2,\n3@4: 3,\n4@5: 4,#4\n5@6: 5,2\n"
        "note: 2 cells of the sheet with an error such as #N/A are missing (first B2)\n"
        "note: 1 formula without a result is missing (B4): save the workbook in a spreadsheet program\n");
}

#define TWO                                                                                                  \
    BOOK("<table:table table:name=\"first\" table:style-name=\"ta1\">" HEADER ROW(                           \
        NUMBER("1") NUMBER("2")) "</table:table><table:table table:name=\"second\">" HEADER                  \
             ROW(NUMBER("3") NUMBER("4")) "</table:table><table:table table:name=\"third\">" HEADER ROW(     \
                 NUMBER("5") NUMBER("6")) "</table:table>")

TEST(sheets)
{
    CHECK_STR(show(TWO, NULL),
              "k,v\n1@2: 3,4\nnote: sheet 'second' is read; the workbook also has 'third' (set sheet)\n");
    CHECK_STR(show(TWO, &(odim_read_options){.sheet = "first"}), "k,v\n1@2: 1,2\n");
    CHECK_STR(show(TWO, &(odim_read_options){.sheet = "2"}), "k,v\n1@2: 5,6\n");
    CHECK_STR(show(TWO, &(odim_read_options){.sheet = "4"}),
              "there is no sheet '4'; the workbook has 'second' and 'third'");
}

TEST(refused)
{
    CHECK_STR(show("<office:text/>", NULL),
              "it is an OpenDocument file without a spreadsheet; save the table as .ods, .xlsx or CSV");
    CHECK_STR(show(BOOK(""), NULL), "the document has no sheets");
    CHECK_STR(show_with(TWO, "<manifest:manifest><manifest:encryption-data/></manifest:manifest>", NULL),
              "META-INF/manifest.xml: the document is encrypted; save it without a password, or as CSV");
    CHECK_STR(show_with(SHEET(HEADER ROW(NUMBER("1") NUMBER("2"))), "<manifest:manifest/>", NULL),
              "k,v\n1@2: 1,2\n");
    CHECK_STR(show(SHEET(HEADER ROW(EMPTY("16384") NUMBER("1"))), NULL),
              "content.xml: row 2: a cell is beyond the end of the sheet");
    CHECK_STR(show(SHEET(HEADER REPEAT("9999999", EMPTY("1")) ROW(NUMBER("1"))), NULL),
              "content.xml: row 1048578: a cell is beyond the end of the sheet");
    CHECK_STR(show(SHEET(HEADER "<table:table-row>"), NULL),
              "content.xml: line 1: it is not XML as it should be: "
              "mismatched tag");
    /* A few bytes that stand for many cells. */
    CHECK_STR(
        show(SHEET(HEADER REPEAT("1000000", NUMBER("1") NUMBER("2"))),
             &(odim_read_options){.unpacked = 4096}),
        "the sheet has more cells than 0.0 MB hold, the most that is allowed; if the file can be trusted, "
        "allow more (set unpacked)");
}

TEST(starved)
{
    bytes b = document(TWO, "<manifest:manifest/>");
    odim_status status;
    EACH_ALLOCATION_FAILS(status, 10)
    {
        od_records *r;
        od_record rec = {.count = 1};
        od_strlist notes = {0};
        status = od_xlsx_open(&r, b.p, b.len, &(odim_read_options){0}, &notes, &err);
        while (!status && rec.count) status = r->next(r, &rec, &err);
        if (!status) status = r->rewind(r, &err);
        od_records_close(r);
        od_strlist_free(&notes);
    }
    drop(&b);
}

int main(void)
{
    RUN(types);
    RUN(texts);
    RUN(repeated);
    RUN(errors_and_formulas);
    RUN(sheets);
    RUN(refused);
    RUN(starved);
    return test_end();
}
