#include "people/tag_steps.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

namespace mailroom::people {

namespace {

using Tags = std::set<std::string, std::less<>>;

Tags tags_of(const std::optional<Profile>& profile) {
    return profile ? Tags(profile->tags.begin(), profile->tags.end()) : Tags();
}

}  // namespace

std::vector<std::string> each_once(std::vector<std::string> tags) {
    std::set<std::string> seen;
    std::erase_if(tags, [&](const std::string& tag) { return !seen.insert(tag).second; });
    return tags;
}

std::size_t tag_steps(const std::optional<Profile>& before,
                      const std::vector<std::string>& wanted) {
    const auto had = tags_of(before);
    const Tags wants(wanted.begin(), wanted.end());
    const auto comes =
        std::ranges::count_if(wants, [&](const auto& t) { return !had.contains(t); });
    const auto goes = std::ranges::count_if(had, [&](const auto& t) { return !wants.contains(t); });
    return static_cast<std::size_t>(comes + goes);
}

std::vector<std::string> first_tag_steps(const std::optional<Profile>& before,
                                         const std::vector<std::string>& wanted,
                                         std::size_t steps_max) {
    if (tag_steps(before, wanted) <= steps_max) return wanted;
    const Tags wants(wanted.begin(), wanted.end());
    const auto had = tags_of(before);
    auto tags = before ? before->tags : std::vector<std::string>();
    std::size_t steps = 0;
    std::erase_if(
        tags, [&](const std::string& tag) { return !wants.contains(tag) && steps++ < steps_max; });
    for (const auto& tag : wanted) {
        if (steps >= steps_max) break;
        if (had.contains(tag)) continue;
        tags.push_back(tag);
        ++steps;
    }
    return tags;
}

}  // namespace mailroom::people
