// The form of filters that people write:
//
//   plan = "pro" and country in ("DE", "FR") and not tag = "churned"
//   opened within 30 days and not clicked within 30 days
//   (seats between 10 and 50 or plan is missing) and createdAt < 1 year ago
//
//   filter  := both ("or" both)*
//   both    := one ("and" one)*
//   one     := "not" one | "(" filter ")" | test | "all"          all: everybody
//   test    := "tag" is | "topic" is ("is" ("in" | "out" | "pending"))? | "segment" is
//            | deed (("template" | "sequence" | "broadcast") quoted)?
//              ("at" "least" number ("times" | "time"))?
//              ("within" number unit | ("since" | "before") moment)?
//            | field compare value | field "not"? "in" list | field "between" value "and" value
//            | field "exists" | field "is" "not"? "missing"
//            | field "not"? ("contains" | "begins" "with" | "starts" "with" | "ends" "with") quoted
//            | ("unsubscribed" | "suppressed")                     is true
//   is      := ("=" | "!=") quoted | "not"? "in" list
//   compare := "=" | "!=" | "<>" | "<" | "<=" | ">" | ">="
//   list    := "(" value ("," value)* ")"
//   field   := (word | name) ("." (word | name))*
//   value   := quoted | number | "true" | "false" | moment         see moment.h
//   deed    := "sent" | "delivered" | "opened" | "clicked" | "bounced" | "complained" | "replied"
//
// Words that are not quoted may be in any case. An attribute that is called like a word of filters
// stands in backquotes.
#pragma once

#include "people/segments/filter.h"
#include "people/segments/filter_tokens.h"

#include <string>
#include <string_view>

namespace mailroom::people {

Result<Filter, FilterMistake> parse_filter(std::string_view text);
// What parse_filter() reads as an equal filter.
std::string text_of(const Filter& filter);

}  // namespace mailroom::people
