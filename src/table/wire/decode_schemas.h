// Parts of table definitions that CreateTable and UpdateTable share. Private to this folder.
#pragma once

#include "table/schema.h"
#include "table/wire/reader.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace mailroom::table::wire {

// KeySchema as given; DynamoDB judges its order later than its shape.
struct KeyElements {
    struct Element {
        std::string name;
        bool is_hash = false;
    };
    std::vector<Element> elements;

    // Of the third round: at most one of each kind, the hash key first; or several of each kind.
    std::optional<Failure> check_order() const;
    std::optional<Failure> check_global_order() const;
    std::optional<Failure> check_defined(const std::vector<AttributeDefinition>& attributes) const;
    // What they mean, when they are in order and the first one is a hash key.
    KeySchema schema() const;
};

struct IndexMembers {
    IndexSpec spec;
    KeyElements keys;
    bool has_throughput = false;
    std::optional<ProjectionKind> projection;

    std::optional<Failure> check_projection() const;
};

std::vector<AttributeDefinition> read_attribute_definitions(Reader& reader, const Place& place);
KeyElements read_key_elements(Reader& reader, const Place& place, std::size_t count_max);
// Of a table or a local index.
constexpr std::size_t key_pair_max = 2;
Throughput read_throughput(Reader& reader, const Place& place);
enum class IndexKind { local, global };
IndexMembers read_index(Reader& reader, const Structure& in, IndexKind kind);
Tags read_tags(Reader& reader, const Place& place);

std::optional<BillingMode> read_billing_mode(Reader& reader, const Structure& in);
std::optional<std::string> read_table_class(Reader& reader, const Structure& in);
// StreamSpecification as given; DynamoDB judges later whether its members go together.
struct StreamMembers {
    bool given = false;
    std::optional<bool> enabled;
    std::optional<StreamView> view;

    std::optional<Failure> check() const;
    StreamSpec spec() const;
};
StreamMembers read_stream(Reader& reader, const Structure& in);
std::optional<Failure> check_throughput(const Throughput& throughput);

}  // namespace mailroom::table::wire
