// Sequences as they are kept, each with all its versions: people finish the one that they began.
//
//   MailroomCampaigns   SEQUENCES       {id}          as it is now; of one that was deleted, that
//                                                     it was: no version has its number again
//   MailroomCampaigns   SEQUENCE#{id}   {0000000001}  each version as it was saved
//     id S, version N, definition S (JSON), by S, created_at N (ms); of the first also updated_at N
//     and removed_at N
#pragma once

#include "base/clock.h"
#include "campaigns/sequences/definition.h"
#include "table/records/record.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

namespace mailroom::campaigns {

// A definition, which is text in rows: maps in a row may not be as deep. What makes no sense to us
// is for those who run it, so only its form is checked.
struct DefinitionText {
    static table::Value store(const Definition& definition);
    static std::optional<Definition> load(const table::ValueView& value);
    static void show(json::Writer& writer, const Definition& definition) {
        table::write_json(writer, definition);
    }
    static void read(const json::View& view, Definition& to, table::Reading& reading) {
        table::read_object(view, to, reading);
    }
    static void describe(json::Writer& writer, table::Schemas& schemas) {
        table::Form<Definition>::describe(writer, schemas);
    }
};

// One version of a sequence.
struct SequenceVersion {
    std::string id;
    std::int64_t version = 0;
    std::string by;
    Time created = {};
    Definition definition;

    static constexpr std::string_view record_name = "SequenceVersion";
    static constexpr auto fields =
        std::tuple{table::must_have("id", &SequenceVersion::id),
                   table::must_have("version", &SequenceVersion::version),
                   table::kept_if_any("by", &SequenceVersion::by, "Who saved it."),
                   table::kept("created_at", &SequenceVersion::created),
                   table::spelled<DefinitionText>(
                       table::must_have("definition", &SequenceVersion::definition))};
    static void derive(const SequenceVersion& version, table::Item& row);
    static table::Item key(std::string_view id, std::int64_t version);
    static std::string partition(std::string_view id);
};

struct Sequence {
    std::string id;
    std::int64_t version = 0;  // Of the definition, and of the row.
    std::string by;
    Time created = {}, updated = {};
    std::optional<Time> removed;
    Definition definition;

    static constexpr std::string_view partition = "SEQUENCES";
    static constexpr std::string_view record_name = "Sequence";
    static constexpr auto fields = std::tuple{
        table::must_have("id", &Sequence::id),
        table::must_have("version", &Sequence::version, "Grows with each change."),
        table::kept_if_any("by", &Sequence::by, "Who saved it last."),
        table::kept("created_at", &Sequence::created),
        table::kept("updated_at", &Sequence::updated),
        table::stored_if_any("removed_at", &Sequence::removed),
        table::spelled<DefinitionText>(table::must_have("definition", &Sequence::definition))};
    static void derive(const Sequence& sequence, table::Item& row);
    static table::Item key(std::string_view id);
};

}  // namespace mailroom::campaigns
