// The person whom a mail is rendered for, and what a template sees of them.
#pragma once

#include "base/clock.h"
#include "campaigns/templates/content.h"
#include "engagement/tracking/mail_tailor.h"
#include "liquid/owned_value.h"
#include "liquid/value.h"
#include "people/profile.h"
#include "table/value.h"

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mailroom::campaigns {

struct Reader {
    std::string email, first_name;  // As whoever caused the mail gave them.
    // Of the person as they are now, whatever is in them; none: there is no such person, and what
    // whoever caused the mail gave is all that is known.
    std::optional<table::Item> attributes;
    table::Item given;
    std::string language;  // Empty: not known.
    // Each is its own mail's, so it comes into the mail when that is accepted; see mail_tailor.h.
    std::string unsubscribe_url{engagement::unsubscribe_word};
    std::string preferences_url{engagement::preferences_word};

    static Reader of(const people::Profile& person);
};

// The names that every template knows besides the attributes.
inline constexpr std::string_view context_names[] = {
    "email", "firstName", "unsubscribeUrl", "preferencesUrl", "currentYear", "preheader"};

// All of it as the data of a template, of which later ones hide earlier ones: email and firstName,
// the attributes, display names, the links, the year. Refers to what it is made of.
class ReaderData {
public:
    ReaderData(const Reader& reader, const DisplayNames& names, Time now);
    ReaderData(const ReaderData&) = delete;
    ReaderData& operator=(const ReaderData&) = delete;

    // The value must outlive this object.
    void set(std::string_view name, std::string_view text) { set(name, liquid::Value::text(text)); }
    liquid::Value view() const;
    liquid::Value find(std::string_view name) const;

private:
    friend class ReaderDataReader;

    void set(std::string_view name, liquid::Value value) { entries_.emplace_back(name, value); }
    void add(const table::ItemView& attributes);
    void add(const DisplayNames& names);
    liquid::Value value_of(const table::ValueView& value);

    std::vector<std::pair<std::string_view, liquid::Value>> entries_;
    std::deque<liquid::OwnedValue> owned_;  // Lists and maps.
};

}  // namespace mailroom::campaigns
