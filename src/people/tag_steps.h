// Tags of a person, changed in steps that fit into transactions: for this folder.
#pragma once

#include "people/profile.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace mailroom::people {

// In their order.
std::vector<std::string> each_once(std::vector<std::string> tags);
// How many tags come or go.
std::size_t tag_steps(const std::optional<Profile>& before, const std::vector<std::string>& wanted);
// The tags after the first so many steps: what goes goes first. With enough steps exactly `wanted`.
std::vector<std::string> first_tag_steps(const std::optional<Profile>& before,
                                         const std::vector<std::string>& wanted,
                                         std::size_t steps_max);

}  // namespace mailroom::people
