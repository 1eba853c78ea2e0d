// What the decoders of all operations share. Private to this folder.
#pragma once

#include "table/wire/decoder.h"
#include "table/wire/expression_members.h"
#include "table/wire/reader.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace mailroom::table::wire {

class Decoder::Impl {
public:
    // Parses `body` and forgets the request before. The reader and the place are good until the
    // next.
    Outcome<Place> begin(std::string_view body);

    Reader& reader() { return *reader_; }

private:
    json::Parser parser_;
    std::unique_ptr<Reader> reader_ = std::make_unique<Reader>();
    bool read_much_ = false;
};

// Returns the Failure in an optional, if there is one.
#define REFUSE(...)                               \
    do {                                          \
        if (auto refuse_result = (__VA_ARGS__)) { \
            return *std::move(refuse_result);     \
        }                                         \
    } while (false)

// For the third round: the complaint about some values, if there is one.
std::optional<Failure> check(const Complaint& complaint);

ShowConsumed read_show_consumed(Reader& reader, const Structure& in);
ShowMetrics read_show_metrics(Reader& reader, const Structure& in);
ReturnValues read_return_values(Reader& reader, const Place& place);
OnConditionFailure read_on_failure(Reader& reader, const Structure& in);
// The maps of tables of BatchGetItem and BatchWriteItem. What the third round finds first is left
// in `refusal` or `complaint`.
BatchGet read_table_gets(Reader& reader, const Place& place, std::optional<Failure>& refusal);
BatchWrite read_table_writes(Reader& reader, const Place& place, Complaint& complaint);
// Whether the name is there; DynamoDB's own sentence for table calls.
std::optional<Failure> check_table_name_given(Reader& reader, const Place& place);
// Of tables that are made: calls on items leave it to the look-up that a name is too short.
constexpr std::size_t table_name_length_min = 3;

}  // namespace mailroom::table::wire
