// What a template's HTML is made of, where it is written in something else.
#pragma once

#include "base/refusal.h"
#include "campaigns/templates/content.h"
#include "campaigns/templates/fact.h"

#include <map>
#include <string>
#include <vector>

namespace mailroom::campaigns {

// The HTML of each language, by its name, "" for the texts themselves; nothing of a content that is
// written in HTML. `bad_field` says where it is wrong.
Answer<std::map<std::string, std::string>> made_html(const Content& content);

// What was left out when it was made, or looks wrong.
std::vector<Fact> markup_facts(const std::string& key, const Content& content);

}  // namespace mailroom::campaigns
