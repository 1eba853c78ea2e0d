// Any bytes as a webhook of Postmark, as the parts of one, and as the login of whoever sends it.
#include "engagement/notifications/postmark.h"
#include "notification_checks.h"

#include <cstddef>
#include <cstdint>

using namespace mailroom::engagement::notifications;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view input(reinterpret_cast<const char*>(data), size);
    check(read_postmark(input));
    hold(!is_basic_login(input, "nobody", "a password that nobody has"));
    const auto value = as_value(input);
    for (const std::string kind : {"Delivery", "SpamComplaint", "Open", "Click"}) {
        check(read_postmark(R"({"RecordType":")" + kind + R"(","Recipient":)" + value +
                            R"(,"Email":)" + value + R"(,"MessageID":)" + value +
                            R"(,"OriginalLink":)" + value + R"(,"UserAgent":)" + value +
                            R"(,"DeliveredAt":"2026-01-15T10:00:01Z","BouncedAt":)" + value +
                            R"(,"ReceivedAt":"2026-01-15T10:00:01.5Z"})"));
    }
    for (const std::string type : {"HardBounce", "SoftBounce", "Blocked", "Unknown"}) {
        check(
            read_postmark(R"({"RecordType":"Bounce","BouncedAt":"2026-01-15T10:00:01Z","Type":")" +
                          type + R"(","ID":)" + value + R"(,"Details":)" + value + "}"));
    }
    return 0;
}
