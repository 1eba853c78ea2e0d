// Query and Scan.
#include "table/wire/decoding.h"

#include <array>

namespace mailroom::table::wire {

namespace {

constexpr Choice<Select> selects[] = {
    {"SPECIFIC_ATTRIBUTES", Select::specific_attributes},
    {"COUNT", Select::count},
    {"ALL_ATTRIBUTES", Select::all_attributes},
    {"ALL_PROJECTED_ATTRIBUTES", Select::all_projected_attributes},
};

// DynamoDB puts these words before most complaints about a starting key, but not before these.
std::optional<Failure> check_start_key(const Complaint& complaint) {
    if (!complaint) return std::nullopt;
    for (const std::string_view plain : {"contains duplicates", "number set", "numeric value",
                                         "significant digits", "number with magnitude"}) {
        if (complaint->find(plain) != complaint->npos) return invalid(*complaint);
    }
    return invalid("The provided starting key is invalid: " + *complaint);
}

std::string_view select_name(Select select) {
    for (const auto& choice : selects) {
        if (choice.value == select) return choice.text;
    }
    return "";
}

template <class Read>
std::optional<Failure> check_select(const Read& request, const ExpressionMembers& expressions) {
    const auto select = request.select;
    const bool listed = expressions.given("AttributesToGet");
    const bool projected = listed || expressions.given("ProjectionExpression");
    if (projected && select != Select::unset && select != Select::specific_attributes) {
        return invalid(
            std::string("Cannot specify the ") +
            (listed ? "AttributesToGet" : "ProjectionExpression") + " when choosing to get " +
            std::string(select == Select::count ? "only the Count" : select_name(select)));
    }
    if (!projected && select == Select::specific_attributes) {
        return invalid(
            "Must specify the AttributesToGet or ProjectionExpression when choosing to get "
            "SPECIFIC_ATTRIBUTES");
    }
    // The request alone shows it, so it is told before a missing table.
    if (select == Select::all_projected_attributes && request.index.empty()) {
        return invalid(
            "One or more parameter values were invalid: ALL_PROJECTED_ATTRIBUTES can be used only "
            "when Querying using an IndexName");
    }
    return std::nullopt;
}

std::optional<Failure> check_segments(const Scan& scan) {
    if (scan.segment && !scan.total_segments) {
        return invalid(
            "The TotalSegments parameter is required but was not present in the request when "
            "Segment parameter is present");
    }
    if (!scan.total_segments) return std::nullopt;
    if (!scan.segment) {
        return invalid(
            "The Segment parameter is required but was not present in the request when parameter "
            "TotalSegments is present");
    }
    if (*scan.segment < *scan.total_segments) return std::nullopt;
    return invalid(
        "The Segment parameter is zero-based and must be less than parameter TotalSegments: "
        "Segment: " +
        std::to_string(*scan.segment) +
        " is not less than TotalSegments: " + std::to_string(*scan.total_segments));
}

// A scan is cut into no more segments than this.
constexpr std::int64_t segments_max = 1'000'000;

void read_segments(Reader& reader, const Structure& in, Scan& scan) {
    const auto total = in["TotalSegments"];
    scan.total_segments = reader.integer_from(1, total);
    if (scan.total_segments && *scan.total_segments > segments_max) {
        reader.problems.constraint(
            total, std::to_string(*scan.total_segments),
            "Member must have value less than or equal to " + std::to_string(segments_max));
    }
    scan.segment = reader.integer_from(0, in["Segment"]);
}

template <class Request>
void read_common(Reader& reader, const Structure& in, Call<Request>& call) {
    auto& request = call.request;
    request.select = reader.choice<Select>(in["Select"], selects).value_or(Select::unset);
    request.index = reader.name(in["IndexName"], Presence::optional);
    call.options.consumed = read_show_consumed(reader, in);
    request.table = reader.table_name(in["TableName"], Presence::required);
    request.consistent = reader.flag(in["ConsistentRead"]).value_or(false);
}

}  // namespace

Outcome<Call<Query>> Decoder::query(std::string_view body) {
    const Place root = TRY(impl_->begin(body));
    auto& reader = impl_->reader();
    const Structure in(reader.problems, root, "QueryInput");

    Call<Query> call;
    auto& request = call.request;
    read_common(reader, in, call);
    request.limit = reader.integer(in["Limit"]);
    // Of all limits, only this one is refused in the newer form.
    if (request.limit && *request.limit < 1) {
        reader.problems.unshown("Limit", "Member must have value greater than or equal to 1");
    }
    auto start_key = reader.fields(in["ExclusiveStartKey"]);
    request.forward = reader.flag(in["ScanIndexForward"]).value_or(true);
    const ExpressionMember members[] = {
        {"ProjectionExpression", &request.projection, Takes::names},
        {"FilterExpression", &request.filter},
        {"KeyConditionExpression", &request.key_condition},
    };
    const LegacyMember legacy[] = {
        {"AttributesToGet", Legacy::attributes_to_get, &request.projection},
        {"QueryFilter", Legacy::filter, &request.filter},
        {"ConditionalOperator", Legacy::conditional_operator},
        {"KeyConditions", Legacy::key_conditions, &request.key_condition},
    };
    ExpressionMembers expressions(reader, in, members, legacy);

    REFUSE(reader.problems.failure());
    REFUSE(expressions.check_presence());
    REFUSE(check_start_key(start_key.complaint));
    if (!expressions.given("KeyConditionExpression") && !expressions.given("KeyConditions")) {
        return invalid(
            "Either the KeyConditions or KeyConditionExpression parameter must be specified in the "
            "request.");
    }
    REFUSE(expressions.check_content());
    REFUSE(check_select(request, expressions));
    if (start_key.present) request.start_key = std::move(start_key.item);
    request.bind = expressions.take_bindings();
    call.arns = std::move(reader.arns);
    return call;
}

Outcome<Call<Scan>> Decoder::scan(std::string_view body) {
    const Place root = TRY(impl_->begin(body));
    auto& reader = impl_->reader();
    const Structure in(reader.problems, root, "ScanInput");

    Call<Scan> call;
    auto& request = call.request;
    read_common(reader, in, call);
    request.limit = reader.integer_from(1, in["Limit"]);
    read_segments(reader, in, request);
    auto start_key = reader.fields(in["ExclusiveStartKey"]);
    const ExpressionMember members[] = {
        {"ProjectionExpression", &request.projection, Takes::names},
        {"FilterExpression", &request.filter},
    };
    const LegacyMember legacy[] = {
        {"AttributesToGet", Legacy::attributes_to_get, &request.projection},
        {"ScanFilter", Legacy::filter, &request.filter},
        {"ConditionalOperator", Legacy::conditional_operator},
    };
    ExpressionMembers expressions(reader, in, members, legacy);

    REFUSE(reader.problems.failure());
    REFUSE(expressions.check_presence());
    REFUSE(check_start_key(start_key.complaint));
    REFUSE(check_segments(request));
    REFUSE(expressions.check_content());
    REFUSE(check_select(request, expressions));
    if (start_key.present) request.start_key = std::move(start_key.item);
    request.bind = expressions.take_bindings();
    call.arns = std::move(reader.arns);
    return call;
}

}  // namespace mailroom::table::wire
