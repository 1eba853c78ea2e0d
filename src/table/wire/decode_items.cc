// GetItem, PutItem, UpdateItem, DeleteItem.
#include "table/wire/decoding.h"

namespace mailroom::table::wire {

namespace {

std::optional<Failure> check_returns_old_or_none(ReturnValues returns) {
    if (returns == ReturnValues::none || returns == ReturnValues::all_old) return std::nullopt;
    return invalid("ReturnValues can only be ALL_OLD or NONE");
}

}  // namespace

Outcome<Call<GetItem>> Decoder::get_item(std::string_view body) {
    const Place root = TRY(impl_->begin(body));
    auto& reader = impl_->reader();
    const Structure in(reader.problems, root, "GetItemInput");

    Call<GetItem> call;
    auto& request = call.request;
    call.options.consumed = read_show_consumed(reader, in);
    request.table = reader.table_name(in["TableName"], Presence::required);
    reader.require(in["Key"]);
    auto key = reader.fields(in["Key"]);
    request.consistent = reader.flag(in["ConsistentRead"]).value_or(false);
    const ExpressionMember members[] = {
        {"ProjectionExpression", &request.projection, Takes::names}};
    const LegacyMember legacy[] = {
        {"AttributesToGet", Legacy::attributes_to_get, &request.projection}};
    ExpressionMembers expressions(reader, in, members, legacy);

    REFUSE(reader.problems.failure());
    REFUSE(expressions.check_presence());
    REFUSE(check(key.complaint));
    REFUSE(expressions.check_content());
    request.key = std::move(key.item);
    request.bind = expressions.take_bindings();
    call.arns = std::move(reader.arns);
    return call;
}

Outcome<Call<PutItem>> Decoder::put_item(std::string_view body) {
    const Place root = TRY(impl_->begin(body));
    auto& reader = impl_->reader();
    const Structure in(reader.problems, root, "PutItemInput");

    Call<PutItem> call;
    auto& request = call.request;
    call.options.consumed = read_show_consumed(reader, in);
    request.table = reader.table_name(in["TableName"], Presence::required);
    reader.require(in["Item"]);
    auto item = reader.fields(in["Item"]);
    request.returns = read_return_values(reader, in["ReturnValues"]);
    call.options.metrics = read_show_metrics(reader, in);
    request.on_failure = read_on_failure(reader, in);
    const ExpressionMember members[] = {{"ConditionExpression", &request.condition}};
    const LegacyMember legacy[] = {{"Expected", Legacy::expected, &request.condition},
                                   {"ConditionalOperator", Legacy::conditional_operator}};
    ExpressionMembers expressions(reader, in, members, legacy);

    REFUSE(reader.problems.failure());
    REFUSE(expressions.check_presence());
    REFUSE(check(item.complaint));
    REFUSE(check_returns_old_or_none(request.returns));
    REFUSE(expressions.check_content());
    request.item = std::move(item.item);
    request.bind = expressions.take_bindings();
    call.arns = std::move(reader.arns);
    return call;
}

Outcome<Call<UpdateItem>> Decoder::update_item(std::string_view body) {
    const Place root = TRY(impl_->begin(body));
    auto& reader = impl_->reader();
    const Structure in(reader.problems, root, "UpdateItemInput");

    Call<UpdateItem> call;
    auto& request = call.request;
    call.options.consumed = read_show_consumed(reader, in);
    request.table = reader.table_name(in["TableName"], Presence::required);
    call.options.metrics = read_show_metrics(reader, in);
    request.returns = read_return_values(reader, in["ReturnValues"]);
    reader.require(in["Key"]);
    auto key = reader.fields(in["Key"]);
    request.on_failure = read_on_failure(reader, in);
    const ExpressionMember members[] = {{"UpdateExpression", &request.update},
                                        {"ConditionExpression", &request.condition}};
    const LegacyMember legacy[] = {{"AttributeUpdates", Legacy::attribute_updates, &request.update},
                                   {"Expected", Legacy::expected, &request.condition},
                                   {"ConditionalOperator", Legacy::conditional_operator}};
    ExpressionMembers expressions(reader, in, members, legacy);

    REFUSE(reader.problems.failure());
    REFUSE(expressions.check_presence());
    REFUSE(check(key.complaint));
    REFUSE(expressions.check_content());
    request.key = std::move(key.item);
    request.bind = expressions.take_bindings();
    call.arns = std::move(reader.arns);
    return call;
}

Outcome<Call<DeleteItem>> Decoder::delete_item(std::string_view body) {
    const Place root = TRY(impl_->begin(body));
    auto& reader = impl_->reader();
    const Structure in(reader.problems, root, "DeleteItemInput");

    Call<DeleteItem> call;
    auto& request = call.request;
    call.options.consumed = read_show_consumed(reader, in);
    request.table = reader.table_name(in["TableName"], Presence::required);
    reader.require(in["Key"]);
    auto key = reader.fields(in["Key"]);
    request.returns = read_return_values(reader, in["ReturnValues"]);
    call.options.metrics = read_show_metrics(reader, in);
    request.on_failure = read_on_failure(reader, in);
    const ExpressionMember members[] = {{"ConditionExpression", &request.condition}};
    const LegacyMember legacy[] = {{"Expected", Legacy::expected, &request.condition},
                                   {"ConditionalOperator", Legacy::conditional_operator}};
    ExpressionMembers expressions(reader, in, members, legacy);

    REFUSE(reader.problems.failure());
    REFUSE(expressions.check_presence());
    REFUSE(check(key.complaint));
    REFUSE(check_returns_old_or_none(request.returns));
    REFUSE(expressions.check_content());
    request.key = std::move(key.item);
    request.bind = expressions.take_bindings();
    call.arns = std::move(reader.arns);
    return call;
}

}  // namespace mailroom::table::wire
