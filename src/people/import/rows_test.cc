#include "people/import/rows.h"

#include "people/json_value.h"

#include <gtest/gtest.h>

namespace mailroom::people {
namespace {

std::string shown(const ImportRow& row) {
    std::string text = std::to_string(row.line) + " ";
    for (const auto& wrong : row.wrong) text += wrong.field + " " + wrong.why + ";";
    if (!row.wrong.empty()) return text;
    const auto& person = row.person;
    text += person.canonical;
    if (!person.first_name.empty()) text += " name=" + person.first_name;
    for (const auto& tag : person.tags) text += " #" + tag;
    if (person.unsubscribed) text += " unsubscribed";
    if (person.suppressed) text += " suppressed";
    if (!person.zone.empty()) text += " zone=" + person.zone;
    if (!person.language.empty()) text += " language=" + person.language;
    if (person.attributes.empty()) return text + ";";
    std::string attributes;
    json::Writer writer(attributes);
    writer.open_object();
    write_values(writer, person.attributes);
    writer.close_object();
    return text + " " + attributes + ";";
}

std::string read(std::string_view file, const std::vector<std::string>& text_columns = {}) {
    const auto layout = layout_of(file, text_columns);
    if (!layout) return "refused: " + layout.error().text();
    const auto rows = rows_of(*layout, file.substr(layout->rows_begin),
                              static_cast<std::size_t>(layout->first_line));
    std::string all;
    ImportRow row;
    for (;;) {
        const auto more = rows->next(row);
        if (!more) return all + "ended: " + more.error().message;
        if (!*more) return all;
        all += shown(row);
    }
}

struct Case {
    std::string_view name, file, want;
};

TEST(ImportRows, CsvIsReadAsPeopleExportIt) {
    const Case cases[] = {
        {"what a list has", "email,firstName,plan\nAnn@X.com,Ann,pro\n",
         "2 ann@x.com name=Ann {\"plan\":\"pro\"};"},
        {"a mark, semicolons and other spellings",
         "\xEF\xBB\xBF"
         "E-Mail Address;First Name;Unsubscribed\r\nann@x.com;Ann;yes\r\n",
         "2 ann@x.com name=Ann unsubscribed;"},
        {"tags in one field", "email,tags\na@x.com,\"a, b;a\"\n", "2 a@x.com #a #b;"},
        {"zone and language", "email,time zone,language\na@x.com,Europe/Berlin,de\n",
         "2 a@x.com zone=Europe/Berlin language=de;"},
        {"empty fields say nothing", "email,firstName,plan,suppressed\na@x.com,,,\n", "2 a@x.com;"},
        {"columns of ours are passed over",
         "email,PK,createdAt,ttl,mailroomVersion\na@x.com,x,y,1,2\n", "2 a@x.com;"},
        {"the names of attributes stay as they are", "email,My Plan!\na@x.com,x\n",
         "2 a@x.com {\"My Plan!\":\"x\"};"},
        {"everything that is wrong",
         "email,suppressed,language,time_zone\nnobody,perhaps,german,Mars\n,,,\na@x.com,1\n",
         "2 email is no e-mail address: address \"nobody\": \"nobody\" has no @;suppressed must be "
         "true or false;time_zone "
         "must be a time zone such as Europe/Berlin;language must be a language such as de or "
         "pt-BR;4 line has 2 fields where the first has 4;"},
        {"no address in it", "email,plan\n,pro\n", "2 email is empty;"},
        {"a quote that does not end", "email\na@x.com\n\"b\n",
         "refused: body line 3 has a quote that does not end"},
        {"no column of addresses", "name\nx\n", "refused: email is no column of the file"},
        {"two columns of addresses", "email,E-Mail\na@x.com,b@x.com\n",
         "refused: E-Mail is a column twice"},
        {"an attribute twice", "email,plan,plan\na@x.com,1,2\n", "refused: plan is a column twice"},
        {"a column without a name", "email,,plan\na@x.com,1,2\n",
         "refused: body has a column without a name"},
        {"nothing", "", "refused: body has no line of column names"},
    };
    for (const auto& c : cases) EXPECT_EQ(read(c.file), c.want) << c.name;
}

TEST(ImportRows, ColumnsHaveTheTypeThatAllTheirValuesHave) {
    const auto values = [](std::string_view separator, std::vector<std::string_view> all) {
        std::string file = "x" + std::string(separator) + "email\n";
        for (const auto value : all) {
            file += "\"" + std::string(value) + "\"" + std::string(separator) + "a@x.com\n";
        }
        std::string text = read(file), found;
        for (auto at = text.find("{\"x\":"); at != text.npos; at = text.find("{\"x\":", at + 1)) {
            found += text.substr(at + 5, text.find('}', at) - at - 5) + " ";
        }
        return found;
    };
    EXPECT_EQ(values(",", {"1", "-2", "0.5", ""}), "1 -2 0.5 ");
    EXPECT_EQ(values(",", {"10115", "01234"}), "\"10115\" \"01234\" ") << "a postal code";
    EXPECT_EQ(values(",", {"12345678901234567"}), "\"12345678901234567\" ") << "an identifier";
    EXPECT_EQ(values(",", {"true", "false"}), "true false ");
    EXPECT_EQ(values(",", {"true", "1"}), "\"true\" \"1\" ");
    EXPECT_EQ(values(";", {"1,5", "1,234"}), "1.5 1.234 ");
    EXPECT_EQ(values(",", {"1,5", "3"}), "1.5 3 ") << "in quotes";
    EXPECT_EQ(values(",", {"1,234", "3"}), "\"1,234\" \"3\" ") << "a thousand, or not";
    EXPECT_EQ(values(";", {"1,5", "1.5"}), "\"1,5\" \"1.5\" ") << "one or the other";
    EXPECT_EQ(values(";", {"1.234,50"}), "\"1.234,50\" ");
    EXPECT_EQ(values(",", {"1.", ".5"}), "\"1.\" \".5\" ");
    EXPECT_EQ(read("email,zip\na@x.com,10115\n", {"zip"}), "2 a@x.com {\"zip\":\"10115\"};");
    EXPECT_EQ(read("email\na@x.com\n", {"zip"}), "refused: text zip is no column");
}

TEST(ImportRows, LinesOfJsonNameWhatTheySet) {
    const Case cases[] = {
        {"of every type",
         "{\"email\":\"A@x.com\",\"firstName\":\"Ann\",\"tags\":[\"a\",\"a\"],\"plan\":\"pro\","
         "\"seats\":3,\"score\":0.5,\"beta\":true,\"address\":{\"city\":\"Bonn\"}}\n\n"
         "{\"email\":\"b@x.com\",\"unsubscribed\":true,\"plan\":null}",
         "1 a@x.com name=Ann #a {\"address\":{\"city\":\"Bonn\"},\"beta\":true,\"plan\":\"pro\","
         "\"score\":0.5,\"seats\":3};3 b@x.com unsubscribed;"},
        {"columns of ours are passed over",
         "{\"email\":\"b@x.com\",\"PK\":1,\"mailroomTopics\":{}}", "1 b@x.com;"},
        {"what is wrong",
         "{\"email\":1,\"tags\":\"x\",\"suppressed\":\"yes\",\"firstName\":2}\n[1]\n{\n{\"a\":1}",
         "1 email must be text;tags must be a list;suppressed must be true or false;firstName must "
         "be text;email is empty;2 line is no object of JSON;3 line is no object of JSON;4 email "
         "is empty;"},
    };
    for (const auto& c : cases) EXPECT_EQ(read(c.file), c.want) << c.name;
}

TEST(ImportRows, APieceOfAFileIsReadAsTheWhole) {
    const std::string_view file = "email;n\na@x.com;1\nb@x.com;\"2\n\"\nc@x.com;x\n";
    const auto layout = layout_of(file, {});
    ASSERT_TRUE(layout);
    const auto all = rows_of(*layout, file.substr(layout->rows_begin), 2);
    ImportRow row;
    ASSERT_TRUE(*all->next(row));
    const auto from = layout->rows_begin + row.end;
    const auto rest = rows_of(*layout, file.substr(from), 3);
    ASSERT_TRUE(*rest->next(row));
    EXPECT_EQ(shown(row), "3 b@x.com {\"n\":\"2\"};");
    ASSERT_TRUE(*rest->next(row));
    EXPECT_EQ(shown(row), "5 c@x.com {\"n\":\"x\"};") << "lines are those of the file";
}

}  // namespace
}  // namespace mailroom::people
