#include "json/writer.h"
#include "table/wire/encoder.h"

namespace mailroom::table::wire {

namespace {

// The service that DynamoDB names in front of the exception; SDKs look at what follows the #.
std::string_view origin(Fault fault) {
    switch (fault) {
        case Fault::validation:
            return "com.amazon.coral.validate#";
        case Fault::serialization:
        case Fault::unknown_operation:
        case Fault::access_denied:
        case Fault::missing_authentication:
        case Fault::incomplete_signature:
        case Fault::unrecognized_client:
        case Fault::invalid_signature:
            return "com.amazon.coral.service#";
        case Fault::throttling:
            return "com.amazon.coral.availability#";
        default:
            return "com.amazonaws.dynamodb.v20120810#";
    }
}

std::string_view message_key(Fault fault) {
    switch (fault) {
        case Fault::serialization:
        case Fault::transaction_canceled:
        case Fault::transaction_in_progress:
        case Fault::idempotent_parameter_mismatch:
        case Fault::access_denied:
            return "Message";
        default:
            return "message";
    }
}

void write_reasons(json::Writer& json, const std::vector<CancellationReason>& reasons) {
    json.key("CancellationReasons").open_list();
    for (const auto& reason : reasons) {
        json.open_object();
        json.key("Code").text(reason.code);
        if (reason.item) append_item(json.key("Item").value(), *reason.item);
        if (!reason.message.empty()) json.key("Message").text(reason.message);
        json.close_object();
    }
    json.close_list();
}

}  // namespace

void append_failure(std::string& out, const Failure& failure) {
    json::Writer json(out);
    json.open_object();
    std::string type(origin(failure.fault));
    json.key("__type").text(type.append(exception_name(failure.fault)));
    if (!failure.reasons.empty()) write_reasons(json, failure.reasons);
    if (failure.item) append_item(json.key("Item").value(), *failure.item);
    if (!failure.message.empty()) json.key(message_key(failure.fault)).text(failure.message);
    json.close_object();
}

int http_status(Fault fault) { return fault == Fault::internal ? 500 : 400; }

}  // namespace mailroom::table::wire
