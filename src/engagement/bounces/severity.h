// What a refused mail says about whom it was for.
#pragma once

#include "base/names.h"

#include <array>

namespace mailroom::engagement::bounces {

enum class Severity {
    hard,            // There is nobody at that address: writing there again is pointless.
    soft,            // The mail did not arrive this time: full, away, too large, greylisted.
    policy,          // They did not want it from us: its contents, our reputation, our rate.
    authentication,  // They did not believe that it is from us: SPF, DKIM, DMARC, our host's name.
    unclear,         // Nothing follows from it.
};
constexpr auto names_of(Severity) {
    using enum Severity;
    return std::array{Name{hard, "hard"}, Name{soft, "soft"}, Name{policy, "policy"},
                      Name{authentication, "authentication"}, Name{unclear, "unclear"}};
}
// Whether it says something about the person, and nothing about us.
constexpr bool blames_person(Severity severity) {
    return severity == Severity::hard || severity == Severity::soft;
}

}  // namespace mailroom::engagement::bounces
