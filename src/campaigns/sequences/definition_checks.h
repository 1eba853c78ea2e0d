// What makes no sense in a definition that has the right form.
#pragma once

#include "base/refusal.h"
#include "campaigns/sequences/definition.h"
#include "json/json.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::campaigns {

constexpr std::size_t definition_bytes_max = 256 * 1024;  // As text: a row holds 400 KB.
constexpr std::size_t steps_max = 500;                    // Of all branches together.
constexpr std::size_t steps_depth_max = 10;               // So many lists within one another.
constexpr std::int64_t timeout_minutes_max = 10 * 366 * 24 * 60;

// Everything that is wrong, each with its place: "steps[2].then[0].days".
std::vector<BadField> faults_of(const Definition& definition);

// From JSON, checked as a whole: what has the wrong form and what makes no sense are said together.
// A definition that does not say its id gets `id`, if there is one; it must not say another.
Answer<Definition> read_definition(const json::View& view, std::string_view id = "");
// The same of text.
Answer<Definition> parse_definition(std::string_view text, std::string_view id = "");
// All of {"sequences": [definition, …]}, each once; places begin with "sequences[2]".
Answer<std::vector<Definition>> parse_definitions(std::string_view text);

bool is_sequence_id(std::string_view id);

}  // namespace mailroom::campaigns
