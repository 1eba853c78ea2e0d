// Puts any bytes where reports stand: as the fields of a delivery report, as those of a complaint
// report, and as the text of a bounce in plain words.
#include "base/text.h"
#include "mime/read/part.h"
#include "mime/report/find_report.h"

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

using namespace mailroom;

namespace {

void read(const std::string& mail, std::string_view text) {
    mime::Defects defects;
    const auto structure = mime::read_structure(mail, {}, defects);
    const auto report = mime::find_report(structure, text);
    if (!report) return;
    assert(!report->recipients.empty() && !report->format.empty());
    for (const auto& recipient : report->recipients) {
        assert(!recipient.diagnostic || is_utf8(*recipient.diagnostic));
        assert(!recipient.status || recipient.status->size() <= 9);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string bytes(reinterpret_cast<const char*>(data), size);
    const auto part = [&](const std::string& type) {
        return "--b\r\nContent-Type: " + type + "\r\n\r\n" + bytes + "\r\n";
    };
    const std::string head =
        "From: MAILER-DAEMON@example.com\r\nContent-Type: multipart/report; boundary=b\r\n\r\n";
    read(head + part("message/delivery-status") + part("message/rfc822") + "--b--\r\n", bytes);
    read(head + part("message/feedback-report") + part("text/rfc822-headers") + "--b--\r\n", bytes);
    if (is_utf8(bytes)) read("From: MAILER-DAEMON@example.com\r\n\r\n", bytes);
    return 0;
}
