#include "table/wire/decoder.h"

#include "table/wire/decoding.h"

#include <algorithm>

namespace mailroom::table::wire {

namespace {

constexpr Choice<ShowConsumed> show_consumed[] = {{"INDEXES", ShowConsumed::indexes},
                                                  {"TOTAL", ShowConsumed::total},
                                                  {"NONE", ShowConsumed::none}};
constexpr Choice<ShowMetrics> show_metrics[] = {{"SIZE", ShowMetrics::size},
                                                {"NONE", ShowMetrics::none}};
constexpr Choice<ReturnValues> return_values[] = {{"ALL_NEW", ReturnValues::all_new},
                                                  {"UPDATED_OLD", ReturnValues::updated_old},
                                                  {"ALL_OLD", ReturnValues::all_old},
                                                  {"NONE", ReturnValues::none},
                                                  {"UPDATED_NEW", ReturnValues::updated_new}};
constexpr Choice<OnConditionFailure> on_failure[] = {{"ALL_OLD", OnConditionFailure::all_old},
                                                     {"NONE", OnConditionFailure::none}};

}  // namespace

Decoder::Decoder() : impl_(std::make_unique<Impl>()) {}
Decoder::~Decoder() = default;

Outcome<Place> Decoder::Impl::begin(std::string_view body) {
    if (read_much_) reader_ = std::make_unique<Reader>();
    read_much_ = body.size() > large_body_bytes;
    reader_->problems.clear();
    reader_->arns.clear();

    const auto document = parser_.parse(body);
    if (!document) {
        switch (document.error()) {
            case json::Parser::Refusal::too_deep:
                return invalid(std::string(nesting_too_deep));
            case json::Parser::Refusal::not_utf8:
                return serialization_failure("The request is not valid UTF-8");
            case json::Parser::Refusal::not_json:
                return serialization_failure("The request is not valid JSON");
        }
    }
    if (document->type() != json::View::Type::object) {
        return serialization_failure("Unexpected value type in payload");
    }
    return Place{.json = *document, .present = true};
}

std::optional<Failure> check(const Complaint& complaint) {
    if (!complaint) return std::nullopt;
    return invalid(*complaint);
}

ShowConsumed read_show_consumed(Reader& reader, const Structure& in) {
    return reader.choice<ShowConsumed>(in["ReturnConsumedCapacity"], show_consumed)
        .value_or(ShowConsumed::none);
}

ShowMetrics read_show_metrics(Reader& reader, const Structure& in) {
    return reader.choice<ShowMetrics>(in["ReturnItemCollectionMetrics"], show_metrics)
        .value_or(ShowMetrics::none);
}

ReturnValues read_return_values(Reader& reader, const Place& place) {
    return reader.choice<ReturnValues>(place, return_values).value_or(ReturnValues::none);
}

OnConditionFailure read_on_failure(Reader& reader, const Structure& in) {
    return reader.choice<OnConditionFailure>(in["ReturnValuesOnConditionCheckFailure"], on_failure)
        .value_or(OnConditionFailure::none);
}

std::optional<Failure> check_table_name_given(Reader& reader, const Place& place) {
    const auto name = reader.text(place);
    if (reader.problems.is_malformed()) return reader.problems.failure();
    if (!name) {
        return invalid("The parameter 'TableName' is required but was not present in the request");
    }
    return std::nullopt;
}

}  // namespace mailroom::table::wire
