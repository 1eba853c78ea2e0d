// Any bytes as what a mail server answered: there is a diagnosis, and nobody is gone for good of
// whom it is said for now only.
#include "engagement/bounces/classifier.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

using namespace mailroom::engagement::bounces;

namespace {

void check(const Diagnosis& diagnosis, bool is_for_now) {
    const bool holds = diagnosis.severity == severity_of(diagnosis.cause) &&
                       !(is_for_now && diagnosis.severity == Severity::hard);
    if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    check(classify({.text = text}), false);
    check(classify({.code = 550, .status = text, .text = text, .host = text}), false);
    check(classify({.code = 550, .status = "4.1.1", .text = text}), true);
    check(classify({.text = text, .host = "gmail-smtp-in.l.google.com"}), false);
    return 0;
}
