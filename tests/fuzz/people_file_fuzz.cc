// Reads any bytes as a file of people, CSV or lines of JSON, and checks what must hold of what is
// taken in: addresses are canonical, no column of ours is touched, every mistake has a line, and
// the parts that are kept hold the good rows, all of them and no others.
#include "base/csv.h"
#include "people/canonical.h"
#include "people/import/checked_file.h"
#include "people/import/rows.h"
#include "people/profile.h"

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>

namespace {

using namespace mailroom;
using namespace mailroom::people;

void check_person(const ImportedPerson& person) {
    const auto canonical = canonical_of(person.email);
    assert(canonical && *canonical == person.canonical);
    for (const auto field : person.attributes.view()) assert(!is_system_column(field.name));
    for (const auto& tag : person.tags) assert(!tag.empty());
}

void check_parts(const CheckedFile& checked, std::string_view file) {
    std::set<std::string> seen;
    for (const auto& part : checked.parts) {
        const auto text = part.text(file);
        assert(text.size() <= imported_row_bytes_max + 1);
        const auto rows = rows_of(checked.layout, text, 1);
        ImportRow row;
        for (;;) {
            const auto more = rows->next(row);
            assert(more);
            if (!*more) break;
            assert(row.wrong.empty());
            check_person(row.person);
            assert(seen.insert(row.person.canonical).second);
        }
    }
    assert(static_cast<std::int64_t>(seen.size()) == checked.good);
}

void check(std::string_view file) {
    const auto checked = check_file(file, {});
    if (!checked) {
        assert(!checked.error().text().empty());
        return;
    }
    assert(checked->good <= checked->rows);
    assert(static_cast<std::int64_t>(checked->mistakes.size()) <= checked->mistakes_total);
    for (const auto& mistake : checked->mistakes) assert(mistake.line > 0);
    check_parts(*checked, file);
    if (checked->layout.format == FileFormat::csv) assert(Csv::parse(file));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string file(reinterpret_cast<const char*>(data), size);
    check(file);
    // Most bytes are no file of people: as ASCII, and with a good first line, some rows are.
    for (char& c : file) c = static_cast<char>(c & 0x7f);
    check("email,firstName,tags,plan\n" + file);
    check("{\"email\":\"ann@example.com\"}\n" + file);
    // And without quotes, which seldom match.
    std::erase(file, '"');
    check("email;plan\n" + file);
    check("email\n" + file);
    return 0;
}
