// What a provider tells of mails that it took from us, before it is known which of ours they are.
#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "engagement/bounces/classifier.h"
#include "engagement/events/happening.h"
#include "json/json.h"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::engagement::notifications {

// One person and one thing that happened. Its mail_id is empty; its message_id is the provider's.
struct Told {
    Happening happening;
    // The Message-ID that the mail had when it left us, without brackets. Empty: not told.
    std::string our_message_id;
};

// All that one notification says; what is told of something that is none of our happenings, such as
// that a mail was taken, is counted only.
struct Telling {
    std::vector<Told> told;
    std::size_t ignored = 0;
};

// Of one notification: more is nobody's.
inline constexpr std::size_t told_max = 10'000;

// The id of a happening: the same for the same parts, and for no others.
std::string told_id(std::string_view provider, std::initializer_list<std::string_view> parts);

// Members of what may be no object; absent, or of another type, they are empty or none.
std::optional<json::View> member(const json::View& of, std::string_view name);
std::string_view text_member(const json::View& of, std::string_view name);
std::optional<std::int64_t> integer_member(const json::View& of, std::string_view name);
// True only if it is there and true.
bool is_member_true(const json::View& of, std::string_view name);

// A time that mails can have been written at; `invalid` names the member.
Result<Time> time_member(const json::View& of, std::string_view name);
Result<Time> checked_time(std::optional<Time> time, std::string_view name);

// "<id@example.com>" without what stands around it.
std::string message_id_of(std::string_view text);

// A happening of that bounce. `type` is the provider's word in the seed's words; empty: what the
// severity says.
Bounce bounce_of(bounces::Cause cause, std::string_view type, std::string_view diagnostic,
                 std::string_view provider);

// As a row should hold it: UTF-8, and no more of it than helps.
std::string kept_text(std::string_view text);

}  // namespace mailroom::engagement::notifications
