// The rudeness of a Sink, and how people write it down.
//
//   rule   := STEP [ "@" DOMAIN ] "=" what          STEP: connect helo auth mail rcpt data end
//   refuse    what := CODE [ ":" RATE ]             rcpt@slow.example=450:5%
//   drop, stall, rubbish   what := RATE             end=0.5%   (and just "end" for always)
//   delay     what := TIME [ "-" TIME ] [ ":" RATE ]   rcpt=100ms-2s:10%
#pragma once

#include "base/result.h"
#include "smtp/server_session.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::smtp {

struct SinkRule {
    enum class Kind { refuse, drop, stall, rubbish, delay };

    Kind kind = Kind::refuse;
    Step step = Step::connect;
    // In lower case, or "*.example.com" for all names below it. Of the recipient; of the sender for
    // `mail`. None is any.
    std::optional<std::string> domain = std::nullopt;
    double rate = 1;  // 0 to 1.
    int code = 0;     // refuse: 400 to 599.
    std::chrono::milliseconds delay_min{0}, delay_max{0};
};

// "refuse", "drop" …
std::string_view name_of(SinkRule::Kind kind);
// "rcpt" …; "end" is the end of the message.
std::string_view name_of(Step step);

// `invalid` with a sentence that names what is wrong and what would be right.
Result<SinkRule> parse_sink_rule(SinkRule::Kind kind, std::string_view text);

struct SinkOptions {
    // The first rule that fires decides; delays are added up.
    std::vector<SinkRule> rules = {};
    // Recipients say what happens to them: bounce-550@…, drop@…, stall@…, delay-500@… (ms).
    bool obey_addresses = false;
    std::uint64_t seed = 1;
    // Each mail becomes a file ID.eml here. None: nothing is kept.
    std::optional<std::filesystem::path> store = std::nullopt;
    // Clients must authenticate as this. None: everybody may send.
    std::optional<Credentials> credentials = std::nullopt;
};

}  // namespace mailroom::smtp
