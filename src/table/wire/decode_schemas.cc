#include "table/wire/decode_schemas.h"

#include "table/key_checks.h"
#include "table/wire/tag_text.h"

#include <algorithm>
#include <limits>

namespace mailroom::table::wire {

namespace {

constexpr std::int64_t capacity_units_max = 1'000'000'000'000;
constexpr LengthRule attribute_name_length = {1, 255};  // Of key attributes.
// DynamoDB counts the elements of a global index by their kind, in the third round.
constexpr std::size_t global_key_elements_max = std::numeric_limits<std::size_t>::max();
constexpr std::size_t include_max = 100;  // NonKeyAttributes over all indexes of a table.
constexpr std::string_view one_or_more = "One or more parameter values were invalid: ";

constexpr Choice<Kind> attribute_types[] = {
    {"B", Kind::binary}, {"N", Kind::number}, {"S", Kind::string}};
constexpr Choice<bool> key_types[] = {{"HASH", true}, {"RANGE", false}};
constexpr Choice<ProjectionKind> projections[] = {{"ALL", ProjectionKind::all},
                                                  {"INCLUDE", ProjectionKind::include},
                                                  {"KEYS_ONLY", ProjectionKind::keys_only}};
constexpr Choice<BillingMode> billing_modes[] = {{"PROVISIONED", BillingMode::provisioned},
                                                 {"PAY_PER_REQUEST", BillingMode::pay_per_request}};
constexpr Choice<StreamView> stream_views[] = {
    {"NEW_IMAGE", StreamView::new_image},
    {"OLD_IMAGE", StreamView::old_image},
    {"NEW_AND_OLD_IMAGES", StreamView::new_and_old_images},
    {"KEYS_ONLY", StreamView::keys_only},
};
constexpr Choice<std::string_view> table_classes[] = {
    {"STANDARD", "STANDARD"}, {"STANDARD_INFREQUENT_ACCESS", "STANDARD_INFREQUENT_ACCESS"}};

std::string joined(const std::vector<std::string_view>& names) {
    std::string out = "[";
    for (const auto name : names) out.append(out.size() == 1 ? "" : ", ").append(name);
    return out.append("]");
}

std::string_view projection_name(ProjectionKind kind) {
    for (const auto& choice : projections) {
        if (choice.value == kind) return choice.text;
    }
    return "";
}

// As DynamoDB shows a key schema that is too long.
std::string shown(const KeyElements& keys) {
    std::string out = "[";
    for (const auto& element : keys.elements) {
        out.append(out.size() == 1 ? "" : ", ").append("KeySchemaElement(attributeName=");
        out.append(element.name).append(element.is_hash ? ", keyType=HASH)" : ", keyType=RANGE)");
    }
    return out.append("]");
}

void read_projection(Reader& reader, const Place& place, IndexMembers& index) {
    reader.require(place);
    const Structure in(reader.problems, place, "Projection");
    index.projection = reader.choice<ProjectionKind>(in["ProjectionType"], projections);
    const auto attributes = in["NonKeyAttributes"];
    index.spec.projection.include = reader.texts(attributes);
    reader.check_count(attributes, index.spec.projection.include.size(), {1, include_max});
    for (const auto& name : index.spec.projection.include) {
        if (name.size() >= attribute_name_length.min && name.size() <= attribute_name_length.max) {
            continue;
        }
        reader.problems.constraint(
            attributes, "[" + name + "]",
            "Member must satisfy constraint: [Member must have length less than or equal to 255, "
            "Member must have length greater than or equal to 1]");
    }
    index.spec.projection.kind = index.projection.value_or(ProjectionKind::all);
}

}  // namespace

std::optional<Failure> KeyElements::check_order() const {
    if (elements.size() == 2 && elements[0].name == elements[1].name) {
        return invalid(
            "Both the Hash Key and the Range Key element in the KeySchema have the same name");
    }
    if (!elements[0].is_hash) {
        return invalid("Invalid KeySchema: The first KeySchemaElement is not a HASH key type");
    }
    if (elements.size() == 2 && elements[1].is_hash) {
        return invalid("Invalid KeySchema: The second KeySchemaElement is not a RANGE key type");
    }
    return std::nullopt;
}

std::optional<Failure> KeyElements::check_defined(
    const std::vector<AttributeDefinition>& attributes) const {
    const auto is_defined = [&](const Element& element) {
        return std::ranges::find(attributes, element.name, &AttributeDefinition::name) !=
               attributes.end();
    };
    if (std::ranges::all_of(elements, is_defined)) return std::nullopt;
    std::vector<std::string_view> keys, defined;
    for (const auto& element : elements) keys.push_back(element.name);
    for (const auto& attribute : attributes) defined.push_back(attribute.name);
    return invalid(std::string(one_or_more) +
                   "Some index key attributes are not defined in AttributeDefinitions. Keys: " +
                   joined(keys) + ", AttributeDefinitions: " + joined(defined));
}

std::optional<Failure> KeyElements::check_global_order() const {
    if (elements.size() == 2 && elements[0].is_hash != elements[1].is_hash) return check_order();
    if (!elements[0].is_hash) {
        return invalid("Invalid KeySchema: The first KeySchemaElement is not a HASH key type");
    }
    if (!std::ranges::is_partitioned(elements, &Element::is_hash)) {
        return invalid(std::string(one_or_more) +
                       "All HASH key attributes must precede RANGE key attributes in the "
                       "KeySchema");
    }
    auto counted = check_key_counts(schema(), key_attributes_max);
    if (!counted) return std::move(counted).error();
    return std::nullopt;
}

KeySchema KeyElements::schema() const {
    KeySchema keys;
    for (const auto& [name, is_hash] : elements) {
        auto& first = is_hash ? keys.hash : keys.range;
        if (first.empty()) {
            first = name;
        } else {
            (is_hash ? keys.more_hashes : keys.more_ranges).push_back(name);
        }
    }
    return keys;
}

std::optional<Failure> IndexMembers::check_projection() const {
    if (!projection) {
        return invalid(std::string(one_or_more) + "Unknown ProjectionType: null");
    }
    if (*projection != ProjectionKind::include && !spec.projection.include.empty()) {
        return invalid(std::string(one_or_more) + "ProjectionType is " +
                       std::string(projection_name(*projection)) +
                       ", but NonKeyAttributes is specified");
    }
    if (*projection == ProjectionKind::include && spec.projection.include.empty()) {
        return invalid(std::string(one_or_more) +
                       "ProjectionType is INCLUDE, but NonKeyAttributes is not specified");
    }
    auto names = spec.projection.include;
    std::ranges::sort(names);
    if (const auto twice = std::ranges::adjacent_find(names); twice != names.end()) {
        return invalid(std::string(one_or_more) + "Duplicate value in NonKeyAttributes: " + *twice);
    }
    return std::nullopt;
}

std::vector<AttributeDefinition> read_attribute_definitions(Reader& reader, const Place& place) {
    std::vector<AttributeDefinition> out;
    reader.elements(place, [&](const Place& element) {
        const Structure in(reader.problems, element, "AttributeDefinition", Holder::collection);
        reader.require(in["AttributeName"]);
        const auto name = reader.sized_text(in["AttributeName"], attribute_name_length);
        reader.require(in["AttributeType"]);
        const auto kind = reader.choice<Kind>(in["AttributeType"], attribute_types);
        out.push_back({std::string(name.value_or("")), kind.value_or(Kind::string)});
    });
    return out;
}

KeyElements read_key_elements(Reader& reader, const Place& place, std::size_t count_max) {
    KeyElements keys;
    reader.require(place);
    const auto count = reader.elements(place, [&](const Place& element) {
        const Structure in(reader.problems, element, "KeySchemaElement", Holder::collection);
        reader.require(in["AttributeName"]);
        const auto name = reader.sized_text(in["AttributeName"], attribute_name_length);
        reader.require(in["KeyType"]);
        const auto is_hash = reader.choice<bool>(in["KeyType"], key_types);
        keys.elements.push_back({std::string(name.value_or("")), is_hash.value_or(false)});
    });
    if (count <= count_max) {
        reader.check_count(place, count, {1, count_max});
    } else {
        reader.problems.constraint(place, shown(keys),
                                   "Member must have length less than or equal to 2");
    }
    return keys;
}

Throughput read_throughput(Reader& reader, const Place& place) {
    if (!place) return {};
    const Structure in(reader.problems, place, "ProvisionedThroughput");
    const auto write = in["WriteCapacityUnits"], read = in["ReadCapacityUnits"];
    Throughput out;
    reader.require(write);
    out.write = reader.integer_from(1, write, "Long").value_or(0);
    reader.require(read);
    out.read = reader.integer_from(1, read, "Long").value_or(0);
    return out;
}

IndexMembers read_index(Reader& reader, const Structure& in, IndexKind kind) {
    IndexMembers index;
    index.spec.name = reader.name(in["IndexName"], Presence::required);
    index.keys =
        read_key_elements(reader, in["KeySchema"],
                          kind == IndexKind::global ? global_key_elements_max : key_pair_max);
    read_projection(reader, in["Projection"], index);
    const auto throughput = in["ProvisionedThroughput"];
    index.has_throughput = throughput.present;
    index.spec.throughput = read_throughput(reader, throughput);
    return index;
}

Tags read_tags(Reader& reader, const Place& place) {
    Tags tags;
    reader.elements(place, [&](const Place& element) {
        const Structure in(reader.problems, element, "Tag", Holder::collection);
        reader.require(in["Key"]);
        const auto key = read_tag_text(reader, in["Key"], {1, 128});
        reader.require(in["Value"]);
        const auto value = read_tag_text(reader, in["Value"], {0, 256});
        tags.emplace_back(key.value_or(""), value.value_or(""));
    });
    return tags;
}

std::optional<BillingMode> read_billing_mode(Reader& reader, const Structure& in) {
    return reader.choice<BillingMode>(in["BillingMode"], billing_modes);
}

std::optional<std::string> read_table_class(Reader& reader, const Structure& in) {
    const auto given = reader.choice<std::string_view>(in["TableClass"], table_classes);
    if (!given) return std::nullopt;
    return std::string(*given);
}

StreamMembers read_stream(Reader& reader, const Structure& in) {
    const auto place = in["StreamSpecification"];
    const Structure stream(reader.problems, place, "StreamSpecification");
    const auto enabled = stream["StreamEnabled"];
    if (place) reader.require(enabled);
    StreamMembers members;
    members.given = place.present;
    members.enabled = reader.flag(enabled);
    members.view = reader.choice<StreamView>(stream["StreamViewType"], stream_views);
    return members;
}

std::optional<Failure> StreamMembers::check() const {
    if (!given || enabled.value_or(false) == view.has_value()) return std::nullopt;
    return invalid(std::string(one_or_more) +
                   (view ? "StreamViewType is not allowed when StreamEnabled is false"
                         : "StreamViewType must be specified when StreamEnabled is true"));
}

StreamSpec StreamMembers::spec() const {
    return {enabled.value_or(false), view.value_or(StreamView::keys_only)};
}

std::optional<Failure> check_throughput(const Throughput& throughput) {
    const auto out_of_bounds = [](std::int64_t value, std::string_view name) {
        return invalid("Given value " + std::to_string(value) + " for " + std::string(name) +
                       " is out of bounds");
    };
    if (throughput.read > capacity_units_max) {
        return out_of_bounds(throughput.read, "ReadCapacityUnits");
    }
    if (throughput.write > capacity_units_max) {
        return out_of_bounds(throughput.write, "WriteCapacityUnits");
    }
    return std::nullopt;
}

}  // namespace mailroom::table::wire
