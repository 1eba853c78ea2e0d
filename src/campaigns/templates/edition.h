// What one mail is made of: a template and all that it names, each in one version. Whoever sends
// many keeps it, so that they stay the same whatever becomes of the templates.
#pragma once

#include "table/records/record.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace mailroom::campaigns {

struct UsedVersion {
    std::string key;
    std::int64_t number = 0;
    std::string hash;  // Of what it says.

    bool operator==(const UsedVersion&) const = default;

    static constexpr std::string_view record_name = "TemplateUsed";
    static constexpr auto fields =
        std::tuple{table::must_have("key", &UsedVersion::key),
                   table::must_have("number", "version", &UsedVersion::number),
                   table::must_have("hash", &UsedVersion::hash)};
};

struct Edition {
    std::vector<UsedVersion> versions;  // The template itself is the first.

    const std::string& key() const { return versions.front().key; }
    // Equal for editions from which equal mails are made.
    std::string hash() const;
    bool operator==(const Edition&) const = default;

    static constexpr std::string_view record_name = "TemplateEdition";
    static constexpr auto fields = std::tuple{table::must_have("versions", &Edition::versions)};
};

}  // namespace mailroom::campaigns
