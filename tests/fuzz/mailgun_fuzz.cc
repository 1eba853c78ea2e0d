// Any bytes as a webhook of Mailgun, and as the parts of one.
#include "engagement/notifications/mailgun.h"
#include "notification_checks.h"

#include <cstddef>
#include <cstdint>

using namespace mailroom::engagement::notifications;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view input(reinterpret_cast<const char*>(data), size);
    const auto signature = read_mailgun_signature(input);
    if (signature) hold(!is_signed_by(*signature, "a key that nobody has"));
    check(read_mailgun(input));
    const auto value = as_value(input);
    (void)read_mailgun_signature(R"({"signature":{"timestamp":)" + value + R"(,"token":)" + value +
                                 R"(,"signature":)" + value + "}}");
    for (const std::string kind : {"failed", "opened", "clicked", "delivered", "unsubscribed"}) {
        check(read_mailgun(R"({"event-data":{"event":")" + kind +
                           R"(","id":"i","timestamp":1768471202.25,"recipient":)" + value +
                           R"(,"message":)" + value + R"(,"delivery-status":)" + value +
                           R"(,"client-info":)" + value + R"(,"url":)" + value + "}}"));
        check(read_mailgun(R"({"event-data":{"event":")" + kind + R"(","id":"i","timestamp":)" +
                           value + "}}"));
    }
    return 0;
}
