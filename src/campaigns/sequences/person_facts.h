// What is known of somebody who is, or could be, in a sequence.
#pragma once

#include "campaigns/sequences/timeline.h"
#include "people/activity.h"
#include "people/books.h"
#include "people/profile.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::campaigns {

struct PersonFacts {
    std::optional<table::Item> profile;
    people::Activity activity;
    std::vector<SentMail> sent;  // Of sequences, broadcasts and other programs; oldest first.
};

// As of now, of the rows as whoever wrote them.
Result<PersonFacts> facts_of(const people::Books& books, std::string_view canonical);

}  // namespace mailroom::campaigns
