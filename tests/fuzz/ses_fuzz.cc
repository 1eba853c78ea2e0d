// Any bytes as a message of Amazon SNS, as what SES tells in one, and as the parts of that.
#include "engagement/notifications/ses.h"
#include "engagement/notifications/sns_message.h"
#include "notification_checks.h"

#include <cstddef>
#include <cstdint>

using namespace mailroom::engagement::notifications;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view input(reinterpret_cast<const char*>(data), size);
    const auto message = SnsMessage::parse(input);
    if (message) {
        hold(is_certificate_url(message->certificate_url));
        hold(message->signed_text().ends_with("\n"));
        check(read_ses(message->message));
    }
    check(read_ses(input));
    const auto value = as_value(input);
    for (const std::string kind : {"Bounce", "Complaint", "Delivery", "Open", "Click"}) {
        const auto name = mailroom::ascii_lower(kind);
        check(read_ses(R"({"eventType":")" + kind + R"(","mail":{"messageId":"m","destination":)" +
                       value + R"(,"headers":)" + value + R"(},")" + name + R"(":)" + value + "}"));
        check(read_ses(R"({"notificationType":")" + kind +
                       R"(","mail":{"messageId":"m","destination":["a@example.com"]},")" + name +
                       R"(":{"timestamp":"2026-01-15T10:00:00Z","bounceType":"Permanent",)" +
                       R"("link":)" + value + R"(,"userAgent":)" + value +
                       R"(,"bouncedRecipients":)" + value + R"(,"complainedRecipients":)" + value +
                       R"(,"recipients":)" + value + "}}"));
    }
    return 0;
}
