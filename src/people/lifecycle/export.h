// People as files: everybody, as import takes them, and everything about one person.
#pragma once

#include "base/names.h"
#include "people/lifecycle/personal_data.h"
#include "people/people.h"
#include "table/records/record.h"

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::people {

enum class ExportFormat { json_lines, csv };
constexpr auto names_of(ExportFormat) {
    return std::array{Name{ExportFormat::json_lines, "json_lines"}, Name{ExportFormat::csv, "csv"}};
}

// A file that is made while it is taken: memory holds a page of it.
class PeopleFile {
public:
    virtual ~PeopleFile() = default;
    // The next of it; empty: there is no more. By one thread at a time.
    virtual Result<std::string> next() = 0;
};

// Everybody, in no order, while the client takes them; who changes meanwhile is there as before or
// after. As CSV with a column for each attribute that anybody has, for which all are read once
// before; `unprocessable` if those are too many for import to take them. `books` must outlive the
// result.
Answer<std::unique_ptr<PeopleFile>> export_people(const Books& books, ExportFormat format);

// As a route says what is wished.
struct WishedExport {
    ExportFormat format = ExportFormat::json_lines;
    static constexpr auto fields =
        std::tuple{table::asked("format", &WishedExport::format, "json_lines or csv.")};
};

// Whether a program keeps something of the address, though there may be no profile: of somebody who
// got mails and nothing else. Asks all of them for all of it.
Result<bool> is_known_to(const PersonalParts& parts, const std::string& person);

// The JSON text of everything that is known about an address; `not_found` if nothing is.
Answer<std::string> export_person(const People& people, const PersonalParts& parts,
                                  std::string_view email);

}  // namespace mailroom::people
