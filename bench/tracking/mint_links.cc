// mint_links SECRET COUNT
//
// Prints COUNT lines "MAIL TOKEN": an id for a mail, and the token of its picture as a server signs
// it whose tracking.secrets is SECRET ("ID:SECRET").
#include "base/clock.h"
#include "base/ids.h"
#include "base/random.h"
#include "engagement/tracking/tokens.h"

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

[[noreturn]] void fail(const char* why) {
    std::fprintf(stderr, "mint_links: %s\n", why);
    std::exit(1);
}

}  // namespace

int main(int count, char** arguments) {
    using namespace mailroom;
    if (count != 3) fail("usage: mint_links SECRET COUNT");
    auto secret = engagement::TokenSecret::parse(arguments[1]);
    if (!secret) fail("SECRET must be ID:SECRET");
    const std::string_view number = arguments[2];
    std::size_t mails = 0;
    const auto read = std::from_chars(number.data(), number.data() + number.size(), mails);
    if (read.ec != std::errc() || mails == 0) fail("COUNT must be a number");
    auto keys = engagement::TokenKeys::make({*std::move(secret)});
    if (!keys) fail("the secret cannot be used");
    const engagement::Tokens tokens(*std::move(keys));
    const SystemClock clock;
    SystemRandom random;
    for (std::size_t i = 0; i < mails; ++i) {
        const auto id = make_uuid(clock, random);
        std::printf("%s %s\n", id.c_str(), tokens.make(engagement::OpenToken{id})->c_str());
    }
    return 0;
}
