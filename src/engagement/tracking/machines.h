// Whether a person opened a mail or followed a link, or a machine did on its way.
//
// Providers' scanners follow every link before anybody sees the mail, some mail programs fetch its
// pictures when it arrives, and who shows a preview of a link fetches it. What is known of them is
// data, in machines.cc.
#pragma once

#include "engagement/tracking/recent_hits.h"

#include <optional>
#include <span>
#include <string_view>

namespace mailroom::engagement {

// So soon after the mail left, nobody has seen it.
inline constexpr auto arrival_time = std::chrono::milliseconds(1500);

// Empty: a person, as far as can be seen. Else how it is known: "head", "prefetch", "scanner",
// "burst", "arrival", "preview", "program". `others` are the hits of the same mail, this one among
// them; `sent` is when the mail left.
std::string_view machine_reason(const Hit& hit, std::span<const RecentHit> others,
                                std::optional<Time> sent);

}  // namespace mailroom::engagement
