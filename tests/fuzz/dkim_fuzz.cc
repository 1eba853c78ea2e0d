// Reads any bytes as a signed message whose key records come from the same bytes, and signs what
// can be signed: our own signature must then verify.
#include "mime/dkim/key_record.h"
#include "mime/dkim/sign.h"
#include "mime/dkim/verify.h"

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace {

using namespace mailroom;
using namespace mailroom::mime::dkim;

constexpr Time now = Time(std::chrono::seconds(1'700'000'000));
// RFC 8463, A.2.
constexpr std::string_view pem =
    "-----BEGIN PRIVATE KEY-----\n"
    "MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g\n"
    "-----END PRIVATE KEY-----\n";

class FixedLookup final : public KeyLookup {
public:
    explicit FixedLookup(std::string record) : record_(std::move(record)) {}
    Result<std::vector<std::string>> txt(const std::string& name) override {
        if (name.starts_with("none.")) return Error{Errc::not_found, "none"};
        if (name.starts_with("late.")) return Error{Errc::unavailable, "late"};
        return std::vector<std::string>{record_};
    }

private:
    std::string record_;
};

void check(const std::vector<Verdict>& verdicts) {
    for (const auto& verdict : verdicts) {
        assert((verdict.outcome == Verdict::Outcome::pass) == verdict.reason.empty());
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    static const auto key = PrivateKey::from_pem(pem);
    const std::string_view text(reinterpret_cast<const char*>(bytes), size);
    (void)parse_key_record(text);

    // The first line is the key record, if it looks like one.
    const auto line = text.find('\n');
    const bool own_record = line != text.npos && text.find("p=") < line;
    FixedLookup lookup(own_record ? std::string(text.substr(0, line)) : key->record());
    const auto message = own_record ? text.substr(line + 1) : text;
    check(verify(message, lookup, now));

    const Signer signer{.domain = "a.example", .selector = "s", .key = *key, .time = now};
    const auto fields = sign(message, {&signer, 1});
    if (!fields) return 0;
    FixedLookup published(key->record());
    const auto verdicts = verify(*fields + std::string(message), published, now);
    assert(!verdicts.empty() && verdicts[0].outcome == Verdict::Outcome::pass);
    return 0;
}
