#include "table/engine/table_tags.h"

#include "table/engine/tables.h"

#include <algorithm>
#include <set>
#include <string_view>

namespace mailroom::table {

namespace {

constexpr std::size_t tags_max = 50;  // DynamoDB's limit per table.

constexpr std::string_view reserved_prefix = "aws:";  // Such tags are AWS's own.

}  // namespace

Outcome<> check_new_tags(const Tags& tags) {
    std::set<std::string_view> seen;
    for (const auto& [key, value] : tags) {
        if (key.starts_with(reserved_prefix)) {
            return invalid("One or more parameter values were invalid: Tag keys that begin with " +
                           std::string(reserved_prefix) + " are reserved: " + key);
        }
        if (!seen.insert(key).second) {
            return invalid("One or more parameter values were invalid: Duplicate tag key: " + key);
        }
    }
    return check_tag_count(tags);
}

Outcome<> check_tag_count(const Tags& tags) {
    if (tags.size() <= tags_max) return Ok{};
    return invalid("One or more parameter values were invalid: Too many tags, the limit is " +
                   std::to_string(tags_max));
}

Outcome<std::string> Tables::table_of(const std::string& arn) const {
    // Whose account and region it names does not matter: ARNs from elsewhere go on working.
    auto name = arn.substr(arn.rfind('/') + 1);
    const auto reading = core_.catalog.read();
    if (core_.catalog.find(name)) return name;
    return Failure{Fault::resource_not_found,
                   "Requested resource not found: ResourcArn: " + arn + " not found"};
}

Outcome<> Tables::tag(const std::string& arn, const Tags& tags) {
    const auto name = TRY(table_of(arn));
    TRY(check_new_tags(tags));
    TRY(edit(name, [&](Definition& table, kv::Batch&) -> Outcome<> {
        for (const auto& added : tags) {
            std::erase_if(table.tags, [&](const auto& tag) { return tag.first == added.first; });
            table.tags.push_back(added);
        }
        return check_tag_count(table.tags);
    }));
    return Ok{};
}

Outcome<> Tables::untag(const std::string& arn, const std::vector<std::string>& keys) {
    const auto name = TRY(table_of(arn));
    TRY(edit(name, [&](Definition& table, kv::Batch&) -> Outcome<> {
        std::erase_if(table.tags, [&](const auto& tag) {
            return std::ranges::find(keys, tag.first) != keys.end();
        });
        return Ok{};
    }));
    return Ok{};
}

Outcome<Tags> Tables::tags(const std::string& arn) const {
    const auto name = table_of(arn);
    // DynamoDB does not tell a table that is not there from one that is somebody else's.
    if (!name) {
        return Failure{Fault::access_denied,
                       "User: arn:aws:iam::" + core_.options.account +
                           ":root is not authorized to perform: dynamodb:ListTagsOfResource on "
                           "resource: " +
                           arn};
    }
    const auto reading = core_.catalog.read();
    const auto table = TRY(core_.catalog.get(*name));
    return table->tags;
}

}  // namespace mailroom::table
