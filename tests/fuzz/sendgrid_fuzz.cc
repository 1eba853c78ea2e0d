// Any bytes as events of SendGrid, as the parts of one, and as what their signature is made of.
#include "engagement/notifications/sendgrid.h"
#include "notification_checks.h"

#include <cstddef>
#include <cstdint>

using namespace mailroom::engagement::notifications;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const auto key = *PublicKey::of_base64(
        "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEhZOzFeog2DgNTbdJvjxbDlVg"
        "l7xZo1tMPdHthebFa8P/jgSNcPK9gOR+0xLIpE/4AIlX47fUUBk8eGm0xnpuzg==");
    const std::string_view input(reinterpret_cast<const char*>(data), size);
    check(read_sendgrid(input));
    (void)read_sendgrid_time(input);
    hold(!is_signed_by(key, "1768471205", "body", input));
    (void)PublicKey::of_base64(input);
    (void)PublicKey::of_certificate(input, mailroom::from_unix_ms(1'768'471'205'000));
    const auto value = as_value(input);
    std::string events = "[";
    for (const std::string kind : {"bounce", "dropped", "open", "click", "spamreport"}) {
        events += R"({"event":")" + kind +
                  R"(","sg_event_id":"e","timestamp":1768471200,"email":)" + value +
                  R"(,"reason":)" + value + R"(,"status":)" + value + R"(,"url":)" + value +
                  R"(,"smtp-id":)" + value + "},";
    }
    check(read_sendgrid(events + value + "]"));
    return 0;
}
