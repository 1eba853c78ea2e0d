// TransactWriteItems and TransactGetItems.
#include "table/wire/decoding.h"

namespace mailroom::table::wire {

namespace {

constexpr std::size_t actions_max = 100;  // Of one transaction.
constexpr LengthRule token_length = {1, 36};

// One action. The third round's verdict on it is kept in `refusal`.
template <class Action>
void read_expressions(Reader& reader, const Structure& in, Action& action, const Fields& fields,
                      std::span<const ExpressionMember> members, std::optional<Failure>& refusal) {
    ExpressionMembers expressions(reader, in, members, {});
    action.on_failure = read_on_failure(reader, in);
    if (!refusal) refusal = expressions.check_presence();
    if (!refusal) refusal = check(fields.complaint);
    if (!refusal) refusal = expressions.check_content();
    action.bind = expressions.take_bindings();
}

PutItem read_put(Reader& reader, const Place& place, std::optional<Failure>& refusal) {
    const Structure in(reader.problems, place, "Put");
    PutItem put;
    reader.require(in["Item"]);
    auto item = reader.fields(in["Item"]);
    put.table = reader.table_name(in["TableName"], Presence::required);
    const ExpressionMember members[] = {{"ConditionExpression", &put.condition}};
    read_expressions(reader, in, put, item, members, refusal);
    put.item = std::move(item.item);
    return put;
}

UpdateItem read_update(Reader& reader, const Place& place, std::optional<Failure>& refusal) {
    const Structure in(reader.problems, place, "Update");
    UpdateItem update;
    reader.require(in["Key"]);
    auto key = reader.fields(in["Key"]);
    reader.require(in["UpdateExpression"]);
    update.table = reader.table_name(in["TableName"], Presence::required);
    const ExpressionMember members[] = {{"UpdateExpression", &update.update},
                                        {"ConditionExpression", &update.condition}};
    read_expressions(reader, in, update, key, members, refusal);
    update.key = std::move(key.item);
    return update;
}

DeleteItem read_delete(Reader& reader, const Place& place, std::optional<Failure>& refusal) {
    const Structure in(reader.problems, place, "Delete");
    DeleteItem erase;
    reader.require(in["Key"]);
    auto key = reader.fields(in["Key"]);
    erase.table = reader.table_name(in["TableName"], Presence::required);
    const ExpressionMember members[] = {{"ConditionExpression", &erase.condition}};
    read_expressions(reader, in, erase, key, members, refusal);
    erase.key = std::move(key.item);
    return erase;
}

ConditionCheck read_check(Reader& reader, const Place& place, std::optional<Failure>& refusal) {
    const Structure in(reader.problems, place, "ConditionCheck");
    ConditionCheck test;
    reader.require(in["Key"]);
    auto key = reader.fields(in["Key"]);
    test.table = reader.table_name(in["TableName"], Presence::required);
    reader.require(in["ConditionExpression"]);
    const ExpressionMember members[] = {{"ConditionExpression", &test.condition}};
    read_expressions(reader, in, test, key, members, refusal);
    test.key = std::move(key.item);
    return test;
}

void read_action(Reader& reader, const Place& element, TransactWrite& request,
                 std::optional<Failure>& refusal) {
    const Structure in(reader.problems, element, "TransactWriteItem", Holder::collection);
    const auto test = in["ConditionCheck"], put = in["Put"], erase = in["Delete"],
               update = in["Update"];
    if (test) request.actions.emplace_back(read_check(reader, test, refusal));
    if (put) request.actions.emplace_back(read_put(reader, put, refusal));
    if (erase) request.actions.emplace_back(read_delete(reader, erase, refusal));
    if (update) request.actions.emplace_back(read_update(reader, update, refusal));
    if (test.present + put.present + erase.present + update.present != 1 && !refusal) {
        refusal = invalid("TransactItems can only contain one of Check, Put, Update or Delete");
    }
}

GetItem read_get(Reader& reader, const Place& element, std::optional<Failure>& refusal) {
    const Structure in(reader.problems, element, "TransactGetItem", Holder::collection);
    const auto place = in["Get"];
    reader.require(place);
    GetItem get;
    if (!place) return get;
    const Structure get_in(reader.problems, place, "Get");
    reader.require(get_in["Key"]);
    auto key = reader.fields(get_in["Key"]);
    get.table = reader.table_name(get_in["TableName"], Presence::required);
    const ExpressionMember members[] = {{"ProjectionExpression", &get.projection, Takes::names}};
    ExpressionMembers expressions(reader, get_in, members, {});
    if (!refusal) refusal = expressions.check_presence();
    if (!refusal) refusal = check(key.complaint);
    if (!refusal) refusal = expressions.check_content();
    get.key = std::move(key.item);
    get.bind = expressions.take_bindings();
    return get;
}

}  // namespace

Outcome<Call<TransactWrite>> Decoder::transact_write_items(std::string_view body) {
    const Place root = TRY(impl_->begin(body));
    auto& reader = impl_->reader();
    const Structure in(reader.problems, root, "TransactWriteItemsInput");

    Call<TransactWrite> call;
    call.options.consumed = read_show_consumed(reader, in);
    call.options.metrics = read_show_metrics(reader, in);
    const auto token = reader.sized_text(in["ClientRequestToken"], token_length);
    const auto items = in["TransactItems"];
    reader.require(items);
    std::optional<Failure> refusal;
    const auto count = reader.elements(
        items, [&](const Place& element) { read_action(reader, element, call.request, refusal); });
    reader.check_count(items, count, {1, actions_max});

    REFUSE(reader.problems.failure());
    REFUSE(refusal);
    call.request.token = token.value_or("");
    call.arns = std::move(reader.arns);
    return call;
}

Outcome<Call<TransactGet>> Decoder::transact_get_items(std::string_view body) {
    const Place root = TRY(impl_->begin(body));
    auto& reader = impl_->reader();
    const Structure in(reader.problems, root, "TransactGetItemsInput");

    Call<TransactGet> call;
    call.options.consumed = read_show_consumed(reader, in);
    const auto items = in["TransactItems"];
    reader.require(items);
    std::optional<Failure> refusal;
    const auto count = reader.elements(items, [&](const Place& element) {
        call.request.gets.push_back(read_get(reader, element, refusal));
    });
    reader.check_count(items, count, {1, actions_max});

    REFUSE(reader.problems.failure());
    REFUSE(refusal);
    call.arns = std::move(reader.arns);
    return call;
}

}  // namespace mailroom::table::wire
