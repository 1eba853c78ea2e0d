// CreateTable.
#include "table/wire/decode_schemas.h"
#include "table/wire/decoding.h"

#include <algorithm>

namespace mailroom::table::wire {

namespace {

constexpr std::size_t local_indexes_max = 5;
constexpr std::size_t global_indexes_max = 20;
constexpr std::string_view one_or_more = "One or more parameter values were invalid: ";

Failure refused(const std::string& why) { return invalid(std::string(one_or_more) + why); }

std::string bracketed(const std::vector<std::string>& names) {
    std::string out = "[";
    for (const auto& name : names) out.append(out.size() == 1 ? "" : ", ").append(name);
    return out.append("]");
}

// What CreateTable gives, before its parts were held against each other.
struct Members {
    KeyElements keys;
    bool has_throughput = false, has_local = false, has_global = false;
    std::vector<IndexMembers> local, global;
};

std::vector<IndexMembers> read_indexes(Reader& reader, const Place& place, IndexKind kind) {
    const std::string_view type =
        kind == IndexKind::local ? "LocalSecondaryIndex" : "GlobalSecondaryIndex";
    std::vector<IndexMembers> indexes;
    reader.elements(place, [&](const Place& element) {
        const Structure in(reader.problems, element, type, Holder::collection);
        indexes.push_back(read_index(reader, in, kind));
    });
    return indexes;
}

std::optional<Failure> check_billing(const CreateTable& request, const Members& members) {
    if (request.billing == BillingMode::pay_per_request) {
        if (!members.has_throughput) return std::nullopt;
        return refused(
            "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is "
            "PAY_PER_REQUEST");
    }
    if (!members.has_throughput) {
        return refused(
            "ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is "
            "PROVISIONED");
    }
    return check_throughput(request.throughput);
}

std::optional<Failure> check_keys(const CreateTable& request, const Members& members) {
    const auto& keys = members.keys;
    if (keys.elements.size() > request.attributes.size()) {
        return invalid("Invalid KeySchema: Some index key attribute have no definition");
    }
    REFUSE(keys.check_defined(request.attributes));
    REFUSE(keys.check_order());
    if (!members.has_local && !members.has_global &&
        keys.elements.size() != request.attributes.size()) {
        return refused(
            "Number of attributes in KeySchema does not exactly match number of attributes defined "
            "in AttributeDefinitions");
    }
    return std::nullopt;
}

std::optional<Failure> check_name_is_new(std::vector<std::string>& seen, const std::string& name) {
    if (std::ranges::find(seen, name) != seen.end()) {
        return refused("Duplicate index name: " + name);
    }
    seen.push_back(name);
    return std::nullopt;
}

std::optional<Failure> check_local_keys(const IndexMembers& index, const Members& members) {
    if (index.keys.elements.size() != 2) {
        return refused("Index KeySchema does not have a range key for index: " + index.spec.name);
    }
    const auto& hash = index.keys.elements[0].name;
    const auto& table_hash = members.keys.elements[0].name;
    if (hash == table_hash) return std::nullopt;
    return refused(
        "Index KeySchema does not have the same leading hash key as table KeySchema for index: " +
        index.spec.name + ". index hash key: " + hash + ", table hash key: " + table_hash);
}

std::optional<Failure> check_local(const CreateTable& request, const Members& members,
                                   std::vector<std::string>& names) {
    if (!members.has_local) return std::nullopt;
    if (members.local.empty()) return refused("List of LocalSecondaryIndexes is empty");
    if (members.keys.elements.size() != 2) {
        return refused(
            "Table KeySchema does not have a range key, which is required when specifying a "
            "LocalSecondaryIndex");
    }
    for (const auto& index : members.local) {
        REFUSE(index.keys.check_defined(request.attributes));
        REFUSE(index.keys.check_order());
        REFUSE(check_local_keys(index, members));
        REFUSE(index.check_projection());
        REFUSE(check_name_is_new(names, index.spec.name));
    }
    if (members.local.size() <= local_indexes_max) return std::nullopt;
    return refused("Number of LocalSecondaryIndexes exceeds per-table limit of 5");
}

std::optional<Failure> check_global(const CreateTable& request, const Members& members,
                                    std::vector<std::string>& names) {
    if (!members.has_global) return std::nullopt;
    if (members.global.empty()) return refused("List of GlobalSecondaryIndexes is empty");
    for (const auto& index : members.global) {
        REFUSE(index.keys.check_defined(request.attributes));
        REFUSE(index.keys.check_global_order());
        REFUSE(index.check_projection());
        if (request.billing == BillingMode::pay_per_request && index.has_throughput) {
            return refused("ProvisionedThroughput should not be specified for index: " +
                           index.spec.name + " when BillingMode is PAY_PER_REQUEST");
        }
        if (request.billing == BillingMode::provisioned && !index.has_throughput) {
            return refused("ProvisionedThroughput must be specified for index: " + index.spec.name);
        }
        REFUSE(check_throughput(index.spec.throughput));
        REFUSE(check_name_is_new(names, index.spec.name));
    }
    if (members.global.size() <= global_indexes_max) return std::nullopt;
    return refused("GlobalSecondaryIndex count exceeds the per-table limit of 20");
}

// DynamoDB wants every defined attribute to be a key of something.
std::optional<Failure> check_all_used(const CreateTable& request, const Members& members) {
    std::vector<std::string> used;
    const auto use = [&](const KeyElements& keys) {
        for (const auto& element : keys.elements) {
            if (std::ranges::find(used, element.name) == used.end()) used.push_back(element.name);
        }
    };
    use(members.keys);
    for (const auto& index : members.local) use(index.keys);
    for (const auto& index : members.global) use(index.keys);
    std::vector<std::string> defined;
    for (const auto& attribute : request.attributes) defined.push_back(attribute.name);
    if (defined.size() == used.size()) return std::nullopt;
    return refused("Some AttributeDefinitions are not used. AttributeDefinitions: " +
                   bracketed(defined) + ", keys used: " + bracketed(used));
}

std::vector<IndexSpec> specs(std::vector<IndexMembers> indexes) {
    std::vector<IndexSpec> out;
    for (auto& index : indexes) {
        index.spec.keys = index.keys.schema();
        out.push_back(std::move(index.spec));
    }
    return out;
}

}  // namespace

Outcome<CreateTable> Decoder::create_table(std::string_view body) {
    const Place root = TRY(impl_->begin(body));
    auto& reader = impl_->reader();
    const Structure in(reader.problems, root, "CreateTableInput");

    CreateTable request;
    Members members;
    const auto no_name = check_table_name_given(reader, in["TableName"]);
    const auto attributes = in["AttributeDefinitions"];
    reader.require(attributes);
    request.attributes = read_attribute_definitions(reader, attributes);
    request.name = reader.table_name(in["TableName"], Presence::optional, table_name_length_min);
    request.billing = read_billing_mode(reader, in).value_or(BillingMode::provisioned);
    const auto throughput = in["ProvisionedThroughput"];
    members.has_throughput = throughput.present;
    request.throughput = read_throughput(reader, throughput);
    members.keys = read_key_elements(reader, in["KeySchema"], key_pair_max);
    const auto local = in["LocalSecondaryIndexes"], global = in["GlobalSecondaryIndexes"];
    members.has_local = local.present;
    members.local = read_indexes(reader, local, IndexKind::local);
    members.has_global = global.present;
    members.global = read_indexes(reader, global, IndexKind::global);
    request.table_class = read_table_class(reader, in).value_or(request.table_class);
    request.deletion_protection = reader.flag(in["DeletionProtectionEnabled"]).value_or(false);
    request.tags = read_tags(reader, in["Tags"]);
    const auto stream = read_stream(reader, in);

    if (reader.problems.is_malformed()) return *reader.problems.failure();
    REFUSE(no_name);
    REFUSE(reader.problems.failure());
    REFUSE(check_billing(request, members));
    REFUSE(check_keys(request, members));
    std::vector<std::string> names;
    REFUSE(check_local(request, members, names));
    REFUSE(check_global(request, members, names));
    REFUSE(check_all_used(request, members));
    REFUSE(stream.check());
    request.stream = stream.spec();
    request.keys = members.keys.schema();
    request.local_indexes = specs(std::move(members.local));
    request.global_indexes = specs(std::move(members.global));
    return request;
}

}  // namespace mailroom::table::wire
