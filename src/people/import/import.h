// An import: rows of a file that become people, part after part.
//
//   MailroomPeople   IMPORT#{id}   IMPORT             what is asked for, and how far it is
//                                  MISTAKES…          the rows that were left out: mistakes.h
//                                  PART#{number}      rows that are still to come; goes when done
//                                  DONE#{part}#{n}    what became of some rows of that part; goes
//                                                     with it
// The rows of DONE are written in the transactions that they tell of: whoever goes on after a
// crash, or on another node, does nothing twice and counts nothing twice.
#pragma once

#include "base/clock.h"
#include "base/names.h"
#include "people/consent/evidence.h"
#include "people/import/layout.h"
#include "program/import.h"
#include "table/records/record.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mailroom::people {

enum class ImportState { running, done };
constexpr auto names_of(ImportState) {
    return std::array{Name{ImportState::running, "running"}, Name{ImportState::done, "done"}};
}

// What became of rows.
struct ImportCounts {
    std::int64_t created = 0, updated = 0, unchanged = 0;
    std::int64_t erased = 0;  // Left out, because the person was erased.
    std::int64_t failed = 0;  // Could not be stored.

    std::int64_t total() const { return created + updated + unchanged + erased + failed; }
    void add(const ImportCounts& other);

    static constexpr auto fields = std::tuple{
        table::kept("created", &ImportCounts::created),
        table::kept("updated", &ImportCounts::updated),
        table::kept("unchanged", &ImportCounts::unchanged),
        table::kept("erased", &ImportCounts::erased,
                    "Left out: these people were erased, and are not taken in again by a file."),
        table::kept("failed", &ImportCounts::failed, "Could not be stored.")};
};

struct Import {
    std::string id;
    ImportState state = ImportState::running;
    std::int64_t rows = 0;  // Of the file.
    ImportCounts counts;
    std::int64_t mistakes_total = 0;
    ImportLayout layout;
    Evidence evidence;
    Time created = {};
    std::optional<Time> finished;
    std::int64_t parts = 0, next_part = 0;
    std::int64_t version = 0;

    // Of what it keeps of the file; itself it stays as evidence.
    static constexpr std::chrono::hours file_kept_for = std::chrono::hours(24 * 90);
    Time file_expires() const { return created + file_kept_for; }

    static constexpr std::string_view record_name = "Import";
    static constexpr auto fields =
        std::tuple{table::must_have("id", &Import::id),
                   table::kept("state", &Import::state),
                   table::kept("rows", &Import::rows, "Of the file."),
                   table::part(&Import::counts),
                   table::kept("mistakes_total", &Import::mistakes_total,
                               "Of rows that are left out: see its mistakes."),
                   table::part(&Import::layout),
                   table::kept("evidence", &Import::evidence),
                   table::kept("created_at", &Import::created),
                   table::kept_if_any("finished_at", &Import::finished),
                   table::stored("parts", &Import::parts),
                   table::stored("nextPart", &Import::next_part),
                   table::stored("version", &Import::version)};
    static void derive(const Import& import, table::Item& row);
};

// What would become of a file, or is wrong with it.
struct ImportReport {
    std::int64_t rows = 0;
    ImportCounts counts;
    ImportLayout layout;
    std::int64_t mistakes_total = 0;
    std::vector<program::ImportError> mistakes;

    static constexpr std::string_view record_name = "ImportReport";
    static constexpr auto fields =
        std::tuple{table::shown("rows", &ImportReport::rows), table::part(&ImportReport::counts),
                   table::part(&ImportReport::layout),
                   table::shown("mistakes_total", &ImportReport::mistakes_total),
                   table::shown("mistakes", &ImportReport::mistakes,
                                "By line; a thousand: what follows is told with mistakes_after.")};
};

enum class OnMistakes { refuse, skip };
constexpr auto names_of(OnMistakes) {
    return std::array{Name{OnMistakes::refuse, "refuse"}, Name{OnMistakes::skip, "skip"}};
}

struct ImportWish {
    // Of the request, if it is to be one import however often it is made; else the import gets one.
    std::string id = {};
    OnMistakes on_mistakes = OnMistakes::refuse;
    std::vector<std::string> text_columns;
    std::int64_t mistakes_after = 0;  // Those of this line and before are not told, but counted.
    Evidence evidence;
};

}  // namespace mailroom::people
