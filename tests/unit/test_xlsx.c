/* tests: xlsx xlsx_book xlsx_strings xlsx_styles xlsx_sheet. Excel workbooks, made here from their XML. */
#include "io/xlsx.h"

#include <stdio.h>
#include <stdlib.h>

#include "bytes.h"
#include "common/mem.h"
#include "io/xlsx_sheet.h"
#include "show_workbook.h"
#include "starve.h"

#define XML  "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
#define MAIN "xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\""
#define RELS                                                                                                 \
    XML "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">%s"           \
        "</Relationships>"
#define REL(id, type, target)                                                                                \
    "<Relationship Id=\"" id                                                                                 \
    "\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/" type                    \
    "\" Target=\"" target "\"/>"

/* What a test says about its workbook; NULL: as usual. */
typedef struct made {
    const char *rows; /* inside <sheetData> of the first sheet */
    const char *second, *third;
    const char *strings; /* inside <sst> */
    const char *styles;  /* inside <styleSheet> */
    const char *properties, *sheets;
    const char *relations;
    const char *sheet; /* all of the first sheet */
} made;

static void add(zip_maker *z, const char *name, const char *fmt, const char *text)
{
    size_t room = strlen(fmt) + strlen(text) + 1;
    char *buf = malloc(room);
    REQUIRE(buf != NULL);
    snprintf(buf, room, fmt, text);
    zip_add(z, name, buf, strlen(buf), 1);
    free(buf);
}

static bytes workbook(made m)
{
    zip_maker z = {0};
    char book[4000];
    add(&z, "[Content_Types].xml", "%s", XML "<Types/>");
    add(&z, "_rels/.rels", RELS, REL("rId1", "officeDocument", "xl/workbook.xml"));
    snprintf(book, sizeof book, XML "<workbook " MAIN "><workbookPr %s/><sheets>%s</sheets></workbook>",
             m.properties ? m.properties : "",
             m.sheets ? m.sheets : "<sheet name=\"Sales\" sheetId=\"1\" r:id=\"rId1\"/>");
    add(&z, "xl/workbook.xml", "%s", book);
    add(&z, "xl/_rels/workbook.xml.rels", RELS,
        m.relations ? m.relations
                    : REL("rId1", "worksheet", "worksheets/sheet1.xml")
                          REL("rId2", "worksheet", "/xl/worksheets/sheet2.xml")
                              REL("rId3", "worksheet", "./../xl/worksheets/sheet3.xml")
                                  REL("rId4", "chartsheet", "chart.xml")
                                      REL("rId5", "sharedStrings", "sharedStrings.xml")
                                          REL("rId6", "styles", "styles.xml"));
    const char *sheets[3] = {m.rows, m.second, m.third};
    for (int i = 0; i < 3; i++) {
        char name[40];
        snprintf(name, sizeof name, "xl/worksheets/sheet%d.xml", i + 1);
        if (i == 0 && m.sheet)
            add(&z, name, "%s", m.sheet);
        else
            add(&z, name, XML "<worksheet " MAIN "><sheetData>%s</sheetData></worksheet>",
                sheets[i] ? sheets[i] : "");
    }
    if (m.strings) add(&z, "xl/sharedStrings.xml", XML "<sst " MAIN ">%s</sst>", m.strings);
    if (m.styles) add(&z, "xl/styles.xml", XML "<styleSheet " MAIN ">%s</styleSheet>", m.styles);
    return zip_end(&z);
}

static const char *show_with(made m, odim_read_options o)
{
    bytes b = workbook(m);
    const char *got = show_bytes(b, &o);
    drop(&b);
    return got;
}

static const char *show(made m)
{
    return show_with(m, (odim_read_options){0});
}

#define N(ref, v)  "<c r=\"" ref "\"><v>" v "</v></c>"
#define S(ref, v)  "<c r=\"" ref "\" t=\"s\"><v>" v "</v></c>"
#define I(ref, v)  "<c r=\"" ref "\" t=\"inlineStr\"><is><t>" v "</t></is></c>"
#define R(r, body) "<row r=\"" r "\">" body "</row>"

TEST(types)
{
    made m = {.strings =
                  "<si><t>name</t></si><si><r><t>lo</t></r><r><rPr><b/></rPr><t xml:space=\"preserve\">w </t>"
                  "</r><rPh sb=\"0\" eb=\"1\"><t>loud</t></rPh><phoneticPr fontId=\"1\"/></si><si/>"
                  "<si><t>a_x000D_&#10;b_x0041_ _xZZZZ_ _x</t></si>",
              .rows = R("1", S("A1", "0") I("B1", "n") I("C1", "ok") I("D1", "e") I("E1", "f")) //
              R("2", S("A2", "1") "<c r=\"B2\"><v>0.10000000000000001</v></c><c r=\"C2\" t=\"b\"><v>1</v></c>"
                                  "<c r=\"D2\" t=\"e\"><v>#DIV/0!</v></c>"
                                  "<c r=\"E2\" t=\"str\"><f>A2&amp;\"x\"</f><v>low &lt;x&gt;</v></c>") //
              R("3", S("A3", "2") "<c r=\"B3\"><v>1E-3</v></c><c r=\"C3\" t=\"b\"><v>0</v></c>"
                                  "<c r=\"D3\" t=\"e\"><v>#N/A</v></c><c r=\"E3\"><f>A3*2</f><v></v></c>") //
              R("4", S("A4", "3") "<c r=\"B4\" t=\"n\"><v>-7</v></c>"
                                  "<c r=\"E4\" t=\"d\"><v>2024-05-01T10:00:00</v></c>")};
    CHECK_STR(show(m), "name,n,ok,e,f\n"
                       "1@2: low ,0.10000000000000001,true,,low <x>\n"
                       "2@3: ,1E-3,false,,\n"
                       "3@4: a\r\nbA _xZZZZ_ _x,-7,,,2024-05-01T10:00:00\n"
                       "note: 2 cells of the sheet with an error such as #N/A are missing (first D2)\n"
                       "note: 1 formula without a result is missing (E3): save the workbook in a spreadsheet "
                       "program\n");
}

/* Column B has the number in style i, row i + 2, i from 0. */
static const char *show_dates(const char *styles, const char *properties, const char *const *numbers)
{
    char rows[8000];
    size_t len = (size_t)snprintf(rows, sizeof rows, "%s", R("1", I("A1", "k") I("B1", "when")));
    for (int i = 0; numbers[i]; i++)
        len += (size_t)snprintf(rows + len, sizeof rows - len,
                                "<row><c s=\"99\"><v>%d</v></c><c s=\"%d\"><v>%s</v></c></row>", i, i,
                                numbers[i]);
    return show((made){.rows = rows, .styles = styles, .properties = properties});
}

#define XF(id) "<xf numFmtId=\"" id "\" applyNumberFormat=\"1\"><alignment/></xf>"

TEST(built_in_dates)
{
    const char *styles =
        "<cellStyleXfs><xf numFmtId=\"14\"/></cellStyleXfs><cellXfs>" XF("0") XF("14") XF("22") XF("47")
            XF("9") XF("10") XF("27") XF("36") XF("50") XF("58") XF("37") XF("14") XF("14") XF("14")
                XF("14") "</cellXfs><dxfs><dxf><numFmt numFmtId=\"0\" formatCode=\"yyyy\"/></dxf></dxfs>";
    CHECK_STR(
        show_dates(styles, NULL,
                   NAMES("45413", "45413", "45413.395833333336", "0.5", "0.25", "45413", "45413", "45413",
                         "45413.99999999999", "45413.000011574", "45413", "1", "59", "61", "-1")),
        "k,when\n1@2: 0,45413\n2@3: 1,2024-05-01\n3@4: 2,2024-05-01 09:30\n4@5: 3,1899-12-31 12:00\n"
        "5@6: 4,0.25\n6@7: 5,45413\n7@8: 6,2024-05-01\n8@9: 7,2024-05-01\n9@10: 8,2024-05-02\n"
        "10@11: 9,2024-05-01 00:00:01\n11@12: 10,45413\n12@13: 11,1900-01-01\n13@14: 12,1900-02-28\n"
        "14@15: 13,1900-03-01\n15@16: 14,-1\n");
    CHECK_STR(show_dates(styles, "date1904=\"1\"", NAMES("1", "0", "43951.5", "0.5")),
              "k,when\n1@2: 0,1\n2@3: 1,1899-12-31\n3@4: 2,2024-05-01 12:00\n4@5: 3,1899-12-31 12:00\n");
    CHECK_STR(show_dates(styles, "date1904=\"1\"", NAMES("1", "1")), "k,when\n1@2: 0,1\n2@3: 1,1904-01-02\n");
    CHECK_STR(show_dates(styles, "date1904=\"false\"", NAMES("1", "2958465", "2958466", "1e300")),
              "k,when\n1@2: 0,1\n2@3: 1,9999-12-31\n3@4: 2,2958466\n4@5: 3,1e300\n");
}

#define FMT(id, code) "<numFmt numFmtId=\"" id "\" formatCode=\"" code "\"/>"

TEST(custom_dates)
{
    const char *styles = "<numFmts>" FMT("164", "yyyy\\-mm\\-dd") FMT("165", "0.00 &quot;days&quot;")
        FMT("166", "[$-409]d/m/yyyy;@") FMT("167", "[Red]0.0") FMT("168", "[h]:mm:ss")
            FMT("169", "#,##0.00 \\m\\s") FMT("170", "General") FMT("171", "_-* #,##0.00 [$&#8364;-407]_-")
                FMT("172", "0.0%") FMT("173", "MMM YY") FMT("174", "&quot;unclosed d") FMT("175", "[mm")
                    FMT("176", "0_d") FMT("177", "[ss]") FMT("14", "0") "</numFmts><cellXfs>" XF("164")
                        XF("165") XF("166") XF("167") XF("168") XF("169") XF("170") XF("171") XF("172")
                            XF("173") XF("174") XF("175") XF("176") XF("177") XF("14") XF("999") "</cellXfs>";
    CHECK_STR(show_dates(styles, NULL,
                         NAMES("45413", "2", "45413", "3", "1.5", "4", "5", "6", "0.5", "45413", "7", "8",
                               "9", "1.25", "10", "11")),
              "k,when\n1@2: 0,2024-05-01\n2@3: 1,2\n3@4: 2,2024-05-01\n4@5: 3,3\n5@6: 4,1900-01-01 12:00\n"
              "6@7: 5,4\n7@8: 6,5\n8@9: 7,6\n9@10: 8,0.5\n10@11: 9,2024-05-01\n11@12: 10,7\n12@13: 11,8\n"
              "13@14: 12,9\n14@15: 13,1900-01-01 06:00\n15@16: 14,10\n16@17: 15,11\n");
}

/* Cells without references, rows and cells that are absent, empty rows and columns around the table. */
TEST(sparse)
{
    CHECK_STR(show((made){.rows = "<row/>" R(
                              "4", "<c r=\"B4\"/>" I("C4", "a") I("D4", "b") I(
                                       "F4", " d ")) "<row><c "
                                                     "r=\"D5\"><v>2</v></c><c><v>3</v></c></"
                                                     "row>" R("8", N("C8", "5") "<c r=\"D8\" "
                                                                                "t=\"inlineStr\"><is><t>  "
                                                                                "</t></is></c>" N("F8", "9"))
                                                         R("9", "<c r=\"C9\" s=\"3\"/>") "<row "
                                                                                         "r=\"1000\"/"
                                                                                         ">"}),
              "a,b,,d\n1@5: ,2,3,\n2@6: ,,,\n3@7: ,,,\n4@8: 5,,,9\n");
    CHECK_STR(show((made){.rows = R("1", N("A1", "1") N("B1", "2")) R("2", N("A2", "3") N("A2", "4"))}),
              ",\n1@1: 1,2\n2@2: 4,\n");
    CHECK_STR(show((made){.rows = R("1048576", I("XFC1048576", "x") N("XFD1048576", "1"))}),
              ",\n1@1048576: x,1\n");
    CHECK_STR(show((made){.sheet = "<x:worksheet xmlns:x=\"u\"><x:dimension ref=\"A1\"/><x:sheetData><x:row>"
                                   "<x:c><x:v>1</x:v></x:c></x:row><x:row><x:c><x:v>2</x:v></x:c></x:row>"
                                   "</x:sheetData><x:row><x:c><x:v>9</x:v></x:c></x:row></x:worksheet>"}),
              "\n1@1: 1\n2@2: 2\n");
}

TEST(titles_and_header)
{
    const char *rows =
        R("1", I("A1", "Report")) R("2", I("A2", "for May")) R("4", I("B4", "a") I("C4", "b") I("D4", "c"))
            R("5", N("B5", "1") N("C5", "2") N("D5", "3")) R("7", N("B7", "4") N("C7", "5") N("D7", "6"));
    CHECK_STR(show((made){.rows = rows}), "a,b,c\n1@5: 1,2,3\n2@6: ,,\n3@7: 4,5,6\n"
                                          "note: 2 rows above the table are skipped\n");
    CHECK_STR(show_with((made){.rows = rows}, (odim_read_options){.header = -1}),
              ",,\n1@4: a,b,c\n2@5: 1,2,3\n3@6: ,,\n4@7: 4,5,6\nnote: 2 rows above the table are skipped\n");
    /* Two columns have no titles above them: the first row is the header. */
    CHECK_STR(
        show((made){.rows = R("1", I("A1", "T")) R("2", I("A2", "a") I("B2", "b")) R("3", N("A3", "1"))}),
        "T,\n1@2: a,b\n2@3: 1,\n");
    /* A number in the header: it is one if a name is above a value. */
    CHECK_STR(show((made){.rows = R("1", I("A1", "what") N("B1", "2019")) R("2", I("A2", "x") N("B2", "1"))}),
              ",\n1@1: what,2019\n2@2: x,1\n");
    CHECK_STR(show((made){.rows = R("1", N("A1", "2019") I("B1", "sum")) R("2", N("A2", "1") I("B2", "NA"))
                              R("3", N("A3", "1") N("B3", "2"))}),
              "2019,sum\n1@2: 1,NA\n2@3: 1,2\n");
    /* Numbers that are texts, and gaps, are no names. */
    CHECK_STR(
        show((made){.rows = R("1", I("A1", "12,5") I("B1", "n/a")) R("2", I("A2", "13,5") N("B2", "1"))}),
        ",\n1@1: 12,5,n/a\n2@2: 13,5,1\n");
    CHECK_STR(show_with((made){.rows = R("1", N("A1", "7") N("B1", "8")) R("2", N("A2", "1") N("B2", "2"))},
                        (odim_read_options){.header = 1}),
              "7,8\n1@2: 1,2\n");
    CHECK_STR(show((made){.rows = R("1", I("A1", "a") I("B1", "b"))}),
              "there is a header and no rows below it");
}

TEST(beside_the_table)
{
    char rows[20000];
    size_t len = (size_t)snprintf(rows, sizeof rows, "%s", R("2", I("B2", "a") I("C2", "b")));
    for (int i = 3; i < 80; i++)
        len += (size_t)snprintf(rows + len, sizeof rows - len,
                                "<row r=\"%d\"><c r=\"B%d\"><v>1</v></c><c><v>2</v></c>%s</row>", i, i,
                                i == 78 ? "<c r=\"AB78\"><v>1</v></c>" : "");
    bytes b = workbook((made){.rows = rows});
    od_records *r;
    od_record rec;
    od_strlist notes = {0};
    REQUIRE(!od_xlsx_open(&r, b.p, b.len, &(odim_read_options){0}, &notes, &err));
    odim_status status = ODIM_OK;
    while (!status) status = r->next(r, &rec, &err);
    CHECK_INT(status, ODIM_ERR_FORMAT);
    CHECK_STR(err.msg, "row 76 (sheet row 78): cell AB78 is outside the table, which has columns B to C");
    CHECK(!r->next(r, &rec, &err) && rec.row == 77 && rec.line == 79);
    CHECK(!r->next(r, &rec, &err) && rec.count == 0);
    od_records_close(r);
    drop(&b);
}

#define SHEET(name, id, more) "<sheet name=\"" name "\" sheetId=\"" id "\" r:id=\"rId" id "\" " more "/>"

TEST(sheets)
{
    made m = {.rows = "",
              .second = R("1", N("A1", "1")) R("2", N("A2", "2")),
              .third = R("1", N("A1", "3")) R("2", N("A2", "4")),
              .sheets =
                  SHEET("Empty", "1", "") SHEET("Chart", "4", "") SHEET("Secret", "2", "state=\"hidden\"")
                      SHEET("Costs &amp; &quot;co&quot;", "3", "state=\"visible\"")};
    CHECK_STR(show(m),
              "\n1@1: 3\n2@2: 4\nnote: sheet 'Costs & \"co\"' is read; the workbook also has 'Empty' "
              "(set sheet)\n");
    const char *third = "\n1@1: 3\n2@2: 4\n", *second = "\n1@1: 1\n2@2: 2\n";
    CHECK_STR(show_with(m, (odim_read_options){.sheet = "2"}), third);
    CHECK_STR(show_with(m, (odim_read_options){.sheet = "secret"}), second);
    CHECK_STR(show_with(m, (odim_read_options){.sheet = "1"}), "sheet 'Empty' is empty");
    CHECK_STR(show_with(m, (odim_read_options){.sheet = "3"}),
              "there is no sheet '3'; the workbook has 'Empty' and 'Costs & \"co\"'");
    CHECK_STR(show_with(m, (odim_read_options){.sheet = "2x"}),
              "there is no sheet '2x'; the workbook has 'Empty' and 'Costs & \"co\"'");
    m.sheets = SHEET("1", "2", "") SHEET("b", "3", "") SHEET("c", "1", "") SHEET("d", "1", "")
        SHEET("e", "1", "") SHEET("f", "1", "") SHEET("g", "1", "") SHEET("h", "1", "");
    CHECK_STR(show(m),
              "\n1@1: 1\n2@2: 2\nnote: sheet '1' is read; the workbook also has 'b', 'c', 'd', 'e', 'f' "
              "and 2 more (set sheet)\n");
    m.sheets = SHEET("a", "2", "state=\"veryHidden\"") SHEET("b", "1", "");
    CHECK_STR(
        show(m),
        "no sheet of the workbook has cells besides hidden ones, which must be chosen by name (set sheet)");
    m.sheets = SHEET("Chart", "4", "");
    CHECK_STR(show(m), "the workbook has no sheets");
    m.sheets = SHEET("a", "1", "");
    m.relations = REL("rId1", "worksheet", "worksheets/none.xml");
    CHECK_STR(show(m), "xl/workbook.xml: the archive lacks the file of sheet 'a'");
}

TEST(damaged)
{
    const char *where = "xl/worksheets/sheet1.xml";
    char want[200];
#define EXPECT_SHEET(text, message)                                                                          \
    do {                                                                                                     \
        snprintf(want, sizeof want, "%s: %s", where, message);                                               \
        CHECK_STR(show((made){.rows = text}), want);                                                         \
        CHECK(err.status == ODIM_ERR_FORMAT || err.status == ODIM_ERR_DATA);                                 \
    } while (0)
    EXPECT_SHEET(R("1", S("A1", "0")), "cell A1: it refers to a text that the workbook does not have");
    EXPECT_SHEET(R("1", S("A1", "x")), "cell A1: it refers to a text that the workbook does not have");
    EXPECT_SHEET(R("2", N("A2", "0")) R("2", ""), "the row after row 2 has a number that cannot be");
    EXPECT_SHEET(R("1048577", ""), "the row after row 0 has a number that cannot be");
    EXPECT_SHEET(R("99999999999999999999", ""), "the row after row 0 has a number that cannot be");
    EXPECT_SHEET(R("1", N("XFE1", "1")), "row 1: a cell has a column that cannot be");
    EXPECT_SHEET(R("1", N("1", "1")), "row 1: a cell has a column that cannot be");
    EXPECT_SHEET(R("1", N("A", "1")), "row 1: a cell has a column that cannot be");
    EXPECT_SHEET(R("1", N("XFD1", "1") "<c/>"), "row 1: a cell has a column that cannot be");
    EXPECT_SHEET("<row>", "line 2: it is not XML as it should be: mismatched tag");
    CHECK_STR(show((made){.sheet = "<!DOCTYPE w [<!ENTITY a \"b\">]><worksheet/>"}),
              "xl/worksheets/sheet1.xml: it has a document type (DOCTYPE), which is refused");
    CHECK_STR(show((made){.sheet = "<worksheet><sheetData>"}),
              "xl/worksheets/sheet1.xml: line 1: it is not XML as it should be: no element found");
    /* Behind the sample it is found while reading, and is more than a bad row. */
    char rows[8000] = "";
    for (int i = 0; i < 100; i++) strcat(rows, "<row><c><v>1</v></c></row>");
    strcat(rows, "<row><c t=\"s\"><v>7</v></c></row>");
    EXPECT_SHEET(rows, "cell A101: it refers to a text that the workbook does not have");
    CHECK_INT(err.status, ODIM_ERR_DATA);
}

/* Every byte changed, and every length: an error, or a table; never a crash. */
TEST(every_byte_changed)
{
    made m = {.strings = "<si><t>a</t></si><si><t>b</t></si>",
              .styles = "<cellXfs>" XF("0") XF("14") "</cellXfs>",
              .rows = R("1", S("A1", "0") S("B1", "1")) R("2", N("A2", "1") "<c s=\"1\"><v>45413</v></c>")};
    bytes b = workbook(m);
    for (size_t at = 0; at < b.len; at++) {
        b.p[at] ^= 0x15;
        show_bytes(b, &(odim_read_options){0});
        b.p[at] ^= 0x15;
        bytes cut = {b.p, at, at};
        od_records *r;
        CHECK(od_xlsx_open(&r, cut.p, cut.len, &(odim_read_options){0}, NULL, &err) && !r);
    }
    CHECK_STR(show_bytes(b, &(odim_read_options){0}), "a,b\n1@2: 1,2024-05-01\n");
    drop(&b);
}

TEST(bombs)
{
    made m = {.rows = R("1", N("A1", "1") N("XFD1", "1")) R("1048576", N("A1048576", "1"))};
    const char *text = show_with(m, (odim_read_options){.unpacked = 1 << 20});
    CHECK_STR(text, "the sheet has more cells than 1.0 MB hold, the most that is allowed; if the file can be "
                    "trusted, allow more (set unpacked)");
    CHECK_INT(err.status, ODIM_ERR_DATA);
    size_t size = 3 << 20;
    char *big = malloc(size);
    REQUIRE(big != NULL);
    memset(big, ' ', size);
    big[size - 1] = '\0';
    CHECK_STR(
        show_with((made){.rows = R("1", N("A1", "1")), .strings = big},
                  (odim_read_options){.unpacked = 1 << 20}),
        "xl/sharedStrings.xml: it unpacks to more than 1.0 MB, the most that is allowed; if the file can be "
        "trusted, allow more (set unpacked)");
    CHECK_STR(show((made){.rows = R("1", N("A1", "1")), .strings = big}), "\n1@1: 1\n");
    memcpy(big, "<si ", 4);
    CHECK_STR(show((made){.rows = R("1", N("A1", "1")), .strings = big}),
              "xl/sharedStrings.xml: line 2: a tag has more than a megabyte");
    for (size_t i = 0; i + 4 < 300; i += 3) memcpy(big + i, "<a>", 3);
    CHECK_STR(show((made){.rows = R("1", N("A1", "1")), .strings = big}),
              "xl/sharedStrings.xml: line 2: elements are nested more than 64 deep");
    free(big);
}

TEST(refused)
{
    zip_maker z = {0};
    add(&z, "[Content_Types].xml", "%s", "<Types/>");
    add(&z, "xl/workbook.bin", "%s", "");
    bytes b = zip_end(&z);
    CHECK(od_xlsx_is(b.p, b.len));
    CHECK_STR(show_bytes(b, &(odim_read_options){0}),
              "it is a binary workbook (.xlsb), which cannot be read; save it as .xlsx or CSV");
    drop(&b);
    z = (zip_maker){0};
    add(&z, "[Content_Types].xml", "%s", "<Types/>");
    add(&z, "_rels/.rels", RELS, REL("rId1", "officeDocument", "word/document.xml"));
    add(&z, "word/document.xml", "%s", "<document/>");
    b = zip_end(&z);
    CHECK_STR(show_bytes(b, &(odim_read_options){0}),
              "it is an Office file without a workbook; save the table as .xlsx or CSV");
    drop(&b);
    z = (zip_maker){0};
    add(&z, "X.npy", "%s", "");
    b = zip_end(&z);
    CHECK(!od_xlsx_is(b.p, b.len) && !od_xlsx_is(b.p, b.len - 1));
    drop(&b);
    const unsigned char old[] = "\xD0\xCF\x11\xE0 E E\0n\0c\0r\0y\0p\0t\0e\0d\0P\0a\0c\0k\0a\0g\0e\0";
    CHECK_INT(od_xlsx_refuse_old(old, sizeof old, &err), ODIM_ERR_FORMAT);
    CHECK_STR(err.msg, "it is an encrypted workbook; save it without a password, as .xlsx or CSV");
    CHECK_INT(od_xlsx_refuse_old(old, 20, &err), ODIM_ERR_FORMAT);
    CHECK_STR(err.msg, "it is an old Excel file (.xls), which cannot be read; save it as .xlsx or CSV");
}

/* More than one piece of XML: rows over its borders, long texts. */
TEST(long_sheet)
{
    enum { ROWS = 5000 };
    bytes rows = {0};
    put_text(&rows, R("1", I("A1", "n") I("B1", "text")));
    for (int i = 0; i < ROWS; i++) {
        char row[120];
        snprintf(row, sizeof row,
                 "<row><c><v>%d</v></c><c t=\"str\"><v>some text that takes its room %d</v></c></row>", i, i);
        put_text(&rows, row);
    }
    put(&rows, "", 1);
    bytes b = workbook((made){.rows = (char *)rows.p});
    od_records *r;
    od_record rec;
    REQUIRE(!od_xlsx_open(&r, b.p, b.len, &(odim_read_options){0}, NULL, &err));
    for (int pass = 0; pass < 2; pass++) {
        int64_t n = 0;
        for (; !r->next(r, &rec, &err) && rec.count; n++) {
            char want[60];
            int len = snprintf(want, sizeof want, "some text that takes its room %d", (int)n);
            CHECK(rec.row == n + 1 && rec.line == n + 2);
            CHECK(rec.fields[1].len == (uint32_t)len && !memcmp(rec.fields[1].text, want, (size_t)len));
        }
        CHECK_INT(n, ROWS);
        CHECK(!r->rewind(r, &err));
    }
    od_records_close(r);
    drop(&b);
    drop(&rows);
}

TEST(starved)
{
    made m = {.strings = "<si><t>a</t></si><si><t>b</t></si>",
              .styles = "<numFmts>" FMT("164", "d") "</numFmts><cellXfs>" XF("0") XF("164") "</cellXfs>",
              .rows = R("1", I("A1", "T")) R("2", S("A2", "0") S("B2", "1") I("C2", "c"))
                  R("3", N("A3", "1") "<c s=\"1\"><v>45413</v></c><c t=\"e\"><v>#N/A</v></c>"),
              .sheets = SHEET("a", "1", "") SHEET("b", "2", "")};
    bytes b = workbook(m);
    odim_status status;
    EACH_ALLOCATION_FAILS(status, 20)
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

TEST(names_of_cells)
{
    char buf[OD_SHEET_NAME];
    CHECK_STR(od_sheet_name(buf, 1, 1), "A1");
    CHECK_STR(od_sheet_name(buf, 0, 26), "Z");
    CHECK_STR(od_sheet_name(buf, 5, 27), "AA5");
    CHECK_STR(od_sheet_name(buf, OD_SHEET_ROWS, OD_SHEET_COLUMNS), "XFD1048576");
}

int main(void)
{
    RUN(types);
    RUN(built_in_dates);
    RUN(custom_dates);
    RUN(sparse);
    RUN(titles_and_header);
    RUN(beside_the_table);
    RUN(sheets);
    RUN(damaged);
    RUN(every_byte_changed);
    RUN(bombs);
    RUN(refused);
    RUN(long_sheet);
    RUN(starved);
    RUN(names_of_cells);
    return test_end();
}
