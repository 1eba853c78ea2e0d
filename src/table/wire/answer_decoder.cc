#include "table/wire/answer_decoder.h"

#include "table/wire/answer_decoding.h"

#include <algorithm>
#include <array>

namespace mailroom::table::wire {

namespace {

constexpr std::array known_faults = {
    Fault::validation,
    Fault::serialization,
    Fault::conditional_check_failed,
    Fault::transaction_canceled,
    Fault::transaction_in_progress,
    Fault::idempotent_parameter_mismatch,
    Fault::resource_not_found,
    Fault::resource_in_use,
    Fault::limit_exceeded,
    Fault::item_collection_size_limit_exceeded,
    Fault::throttling,
    Fault::duplicate_item,
    Fault::unknown_operation,
    Fault::access_denied,
    Fault::internal,
};

// Exceptions without a Fault of their own after which the same request may succeed.
constexpr std::array<std::string_view, 5> retried = {
    "ProvisionedThroughputExceededException",
    "RequestLimitExceeded",
    "TransactionConflictException",
    "ServiceUnavailable",
    "ServiceUnavailableException",
};

struct NamedFault {
    Fault fault;
    bool exact;  // The Fault says all that the name does.
};

NamedFault fault_of(std::string_view name, int http_status) {
    for (const auto fault : known_faults) {
        if (exception_name(fault) == name) return {fault, true};
    }
    if (std::ranges::find(retried, name) != retried.end()) return {Fault::throttling, false};
    return {http_status >= 500 ? Fault::internal : Fault::validation, false};
}

// Without "com.amazonaws.dynamodb.v20120810#" before it, and ":http://…" after it.
std::string_view bare_name(std::string_view type) {
    type = type.substr(0, type.find(':'));
    const auto hash = type.rfind('#');
    return hash == type.npos ? type : type.substr(hash + 1);
}

std::optional<Item> read_item(Reader& reader, const Place& place) {
    if (!place) return std::nullopt;
    auto fields = reader.fields(place);
    if (fields.complaint || reader.problems.is_malformed()) return std::nullopt;
    return std::move(fields.item);
}

std::vector<CancellationReason> read_reasons(Reader& reader, const Place& place) {
    std::vector<CancellationReason> reasons;
    reader.elements(place, [&](const Place& element) {
        const Structure in(reader.problems, element, "CancellationReason", Holder::collection);
        CancellationReason reason;
        reason.code = reader.text(in["Code"]).value_or("None");
        reason.message = reader.text(in["Message"]).value_or("");
        reason.item = read_item(reader, in["Item"]);
        reasons.push_back(std::move(reason));
    });
    return reasons;
}

}  // namespace

AnswerDecoder::AnswerDecoder() : impl_(std::make_unique<Impl>()) {}
AnswerDecoder::~AnswerDecoder() = default;

Outcome<Place> AnswerDecoder::Impl::begin(std::string_view body) {
    if (read_much_) reader_ = std::make_unique<Reader>();
    read_much_ = body.size() > large_body_bytes;
    reader_->problems.clear();
    const auto document = parser_.parse(body);
    if (!document || document->type() != json::View::Type::object)
        return unreadable("not a JSON object");
    return Place{.json = *document, .present = true};
}

Failure unreadable(std::string_view why) {
    return {Fault::internal,
            "The answer of the remote DynamoDB cannot be read: " + std::string(why)};
}

std::optional<Failure> check_readable(const Reader& reader) {
    if (!reader.problems.is_malformed()) return std::nullopt;
    return unreadable(reader.problems.failure()->message);
}

Failure AnswerDecoder::failure(int http_status, std::string_view body) {
    const auto root = impl_->begin(body);
    if (!root) {
        return {http_status >= 500 ? Fault::internal : Fault::validation,
                "The remote DynamoDB answered with status " + std::to_string(http_status)};
    }
    auto& reader = impl_->reader();
    const Structure in(reader.problems, *root, "Failure");
    const auto name = bare_name(reader.text(in["__type"]).value_or(""));
    const auto lower = reader.text(in["message"]), upper = reader.text(in["Message"]);
    const auto [fault, exact] = fault_of(name, http_status);

    Failure failure{fault, std::string(lower ? *lower : upper.value_or(""))};
    if (!exact) failure.message = std::string(name) + ": " + failure.message;
    failure.reasons = read_reasons(reader, in["CancellationReasons"]);
    failure.item = read_item(reader, in["Item"]);
    return failure;
}

}  // namespace mailroom::table::wire
