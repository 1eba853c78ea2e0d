// The calls on existing tables: UpdateTable, ListTables, time to live, tags, and those with a name
// only.
#include "table/wire/decode_schemas.h"
#include "table/wire/decoding.h"

#include <algorithm>

namespace mailroom::table::wire {

namespace {

constexpr std::string_view one_or_more = "One or more parameter values were invalid: ";

// One element of GlobalSecondaryIndexUpdates.
struct IndexUpdate {
    std::optional<IndexMembers> create;
    std::optional<std::string> erase;
    std::optional<std::pair<std::string, Throughput>> update;

    std::optional<Failure> check_is_one() const;
    const std::string& name() const {
        if (create) return create->spec.name;
        return erase ? *erase : update->first;
    }
};

std::optional<Failure> IndexUpdate::check_is_one() const {
    const int given = create.has_value() + erase.has_value() + update.has_value();
    if (given == 1) return std::nullopt;
    return invalid(std::string(one_or_more) +
                   (given == 0 ? "One of GlobalSecondaryIndexUpdate.Update, "
                                 "GlobalSecondaryIndexUpdate.Create, "
                                 "GlobalSecondaryIndexUpdate.Delete must not be null"
                               : "Only one of GlobalSecondaryIndexUpdate.Update, "
                                 "GlobalSecondaryIndexUpdate.Create, "
                                 "GlobalSecondaryIndexUpdate.Delete may be specified"));
}

IndexUpdate read_index_update(Reader& reader, const Place& element) {
    const Structure in(reader.problems, element, "GlobalSecondaryIndexUpdate", Holder::collection);
    IndexUpdate out;
    if (const auto place = in["Update"]) {
        const Structure update(reader.problems, place, "UpdateGlobalSecondaryIndexAction");
        const auto throughput = update["ProvisionedThroughput"];
        auto name = reader.name(update["IndexName"], Presence::required);
        reader.require(throughput);
        out.update.emplace(std::move(name), read_throughput(reader, throughput));
    }
    if (const auto place = in["Create"]) {
        const Structure create(reader.problems, place, "CreateGlobalSecondaryIndexAction");
        out.create = read_index(reader, create, IndexKind::global);
    }
    if (const auto place = in["Delete"]) {
        const Structure erase(reader.problems, place, "DeleteGlobalSecondaryIndexAction");
        out.erase = reader.name(erase["IndexName"], Presence::required);
    }
    return out;
}

std::optional<Failure> check_index_updates(const UpdateTable& request,
                                           const std::vector<IndexUpdate>& updates) {
    std::vector<std::string> names;
    for (const auto& update : updates) {
        REFUSE(update.check_is_one());
        if (std::ranges::find(names, update.name()) != names.end()) {
            return invalid(std::string(one_or_more) +
                           "Only one global secondary index update per index is allowed "
                           "simultaneously. Index: " +
                           update.name());
        }
        names.push_back(update.name());
        if (!update.create) continue;
        REFUSE(update.create->keys.check_defined(request.attributes));
        REFUSE(update.create->keys.check_global_order());
        REFUSE(update.create->check_projection());
        REFUSE(check_throughput(update.create->spec.throughput));
    }
    if (updates.size() <= 1) return std::nullopt;
    return Failure{Fault::limit_exceeded,
                   "Subscriber limit exceeded: Only 1 online index can be created or deleted "
                   "simultaneously per table"};
}

void take_index_update(UpdateTable& request, IndexUpdate update) {
    if (update.create) {
        update.create->spec.keys = update.create->keys.schema();
        request.create_index = std::move(update.create->spec);
    }
    request.delete_index = std::move(update.erase);
    request.update_index = std::move(update.update);
}

// The third round's look at ResourceArn, around the look at the other member.
struct Arn {
    std::optional<std::string> given;

    std::optional<Failure> check_given() const {
        if (!given) return invalid("Invalid TableArn");
        return std::nullopt;
    }
    std::optional<Failure> check_form() const {
        if (table_of_arn(*given)) return std::nullopt;
        return invalid("Invalid TableArn: Invalid ResourceArn provided as input " + *given);
    }
};

Arn read_arn(Reader& reader, const Structure& in) {
    const auto text = reader.text(in["ResourceArn"]);
    if (!text) return {};
    return {std::string(*text)};
}

}  // namespace

Outcome<std::string> Decoder::table_name(std::string_view body) {
    const Place root = TRY(impl_->begin(body));
    auto& reader = impl_->reader();
    const Structure in(reader.problems, root, "TableInput");
    if (reader.problems.is_malformed()) return *reader.problems.failure();
    REFUSE(check_table_name_given(reader, in["TableName"]));
    auto name = reader.table_name(in["TableName"], Presence::required, table_name_length_min);
    REFUSE(reader.problems.failure());
    return name;
}

Outcome<UpdateTable> Decoder::update_table(std::string_view body) {
    const Place root = TRY(impl_->begin(body));
    auto& reader = impl_->reader();
    const Structure in(reader.problems, root, "UpdateTableInput");

    UpdateTable request;
    const auto no_name = check_table_name_given(reader, in["TableName"]);
    request.name = reader.table_name(in["TableName"], Presence::optional, table_name_length_min);
    request.attributes = read_attribute_definitions(reader, in["AttributeDefinitions"]);
    const auto throughput = in["ProvisionedThroughput"];
    if (throughput) request.throughput = read_throughput(reader, throughput);
    request.billing = read_billing_mode(reader, in);
    std::vector<IndexUpdate> updates;
    reader.elements(in["GlobalSecondaryIndexUpdates"], [&](const Place& element) {
        updates.push_back(read_index_update(reader, element));
    });
    request.table_class = read_table_class(reader, in);
    request.deletion_protection = reader.flag(in["DeletionProtectionEnabled"]);
    const auto stream = read_stream(reader, in);
    if (stream.given) request.stream = stream.spec();

    if (reader.problems.is_malformed()) return *reader.problems.failure();
    REFUSE(no_name);
    REFUSE(reader.problems.failure());
    REFUSE(stream.check());
    if (!request.throughput && !request.billing && updates.empty() && !request.table_class &&
        !request.deletion_protection && !request.stream) {
        return invalid(
            "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, "
            "GlobalSecondaryIndexUpdates or SSESpecification or ReplicaUpdates is required");
    }
    if (request.billing == BillingMode::pay_per_request && request.throughput) {
        return invalid(std::string(one_or_more) +
                       "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when "
                       "BillingMode is PAY_PER_REQUEST");
    }
    if (request.billing == BillingMode::provisioned && !request.throughput) {
        return invalid(std::string(one_or_more) +
                       "ProvisionedThroughput must be specified when BillingMode is PROVISIONED");
    }
    if (request.throughput) REFUSE(check_throughput(*request.throughput));
    REFUSE(check_index_updates(request, updates));
    if (!updates.empty()) take_index_update(request, std::move(updates.front()));
    return request;
}

Outcome<ListTables> Decoder::list_tables(std::string_view body) {
    const Place root = TRY(impl_->begin(body));
    auto& reader = impl_->reader();
    const Structure in(reader.problems, root, "ListTablesInput");
    const auto limit_place = in["Limit"];
    const auto limit = reader.integer_from(1, limit_place);
    if (limit && *limit > static_cast<std::int64_t>(ListTables::limit_max)) {
        reader.problems.constraint(limit_place, std::to_string(*limit),
                                   "Member must have value less than or equal to 100");
    }
    ListTables request;
    request.after = reader.name(in["ExclusiveStartTableName"], Presence::optional);
    REFUSE(reader.problems.failure());
    if (limit) request.limit = static_cast<std::size_t>(*limit);
    return request;
}

Outcome<UpdateTimeToLive> Decoder::update_time_to_live(std::string_view body) {
    const Place root = TRY(impl_->begin(body));
    auto& reader = impl_->reader();
    const Structure in(reader.problems, root, "UpdateTimeToLiveInput");
    UpdateTimeToLive request;
    request.table = reader.table_name(in["TableName"], Presence::required);
    const auto place = in["TimeToLiveSpecification"];
    reader.require(place);
    const Structure specification(reader.problems, place, "TimeToLiveSpecification");
    const auto enabled = specification["Enabled"], attribute = specification["AttributeName"];
    if (place) {
        reader.require(enabled);
        reader.require(attribute);
    }
    request.setting.enabled = reader.flag(enabled).value_or(false);
    request.setting.attribute = reader.sized_text(attribute, {1, 255}).value_or("");
    REFUSE(reader.problems.failure());
    return request;
}

Outcome<TagResource> Decoder::tag_resource(std::string_view body) {
    const Place root = TRY(impl_->begin(body));
    auto& reader = impl_->reader();
    const Structure in(reader.problems, root, "TagResourceInput");
    const auto arn = read_arn(reader, in);
    const auto tags = in["Tags"];
    TagResource request;
    request.tags = read_tags(reader, tags);
    if (reader.problems.is_malformed()) return *reader.problems.failure();
    REFUSE(arn.check_given());
    reader.require(tags);
    REFUSE(reader.problems.failure());
    REFUSE(arn.check_form());
    if (request.tags.empty()) return invalid("Atleast one Tag needs to be provided as Input.");
    request.arn = *arn.given;
    return request;
}

Outcome<UntagResource> Decoder::untag_resource(std::string_view body) {
    const Place root = TRY(impl_->begin(body));
    auto& reader = impl_->reader();
    const Structure in(reader.problems, root, "UntagResourceInput");
    const auto arn = read_arn(reader, in);
    const auto keys = in["TagKeys"];
    UntagResource request;
    request.keys = reader.texts(keys);
    if (reader.problems.is_malformed()) return *reader.problems.failure();
    REFUSE(arn.check_given());
    reader.require(keys);
    REFUSE(reader.problems.failure());
    REFUSE(arn.check_form());
    if (request.keys.empty()) return invalid("Atleast one Tag Key needs to be provided as Input.");
    request.arn = *arn.given;
    return request;
}

Outcome<std::string> Decoder::list_tags_of_resource(std::string_view body) {
    const Place root = TRY(impl_->begin(body));
    auto& reader = impl_->reader();
    const Structure in(reader.problems, root, "ListTagsOfResourceInput");
    const auto arn = read_arn(reader, in);
    REFUSE(reader.problems.failure());
    REFUSE(arn.check_given());
    REFUSE(arn.check_form());
    return *arn.given;
}

}  // namespace mailroom::table::wire
