// Reads any bytes as a mail, within small limits, and describes what was understood.
#include "base/text.h"
#include "mime/read/describe.h"
#include "mime/read/parse.h"

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <string_view>

using namespace mailroom;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    mime::ReadLimits limits;
    limits.depth_max = 5;
    limits.parts_max = 20;
    limits.headers_max = 50;
    limits.text_bytes_max = 64 * 1024;
    limits.html_text_bytes_max = 16 * 1024;
    const auto mail = mime::parse(bytes, limits);
    assert(is_utf8(mail.text) && is_utf8(mail.subject) && is_utf8(mail.new_content));
    assert(!mail.html || is_utf8(*mail.html));
    assert(mail.text.size() <= limits.text_bytes_max || mail.text_source == mime::TextSource::html);
    for (const auto& attachment : mail.attachments) {
        assert(attachment.content().size() == attachment.size_bytes());
        assert(!attachment.name().empty() && is_utf8(attachment.name()));
        assert(attachment.name().find_first_of("/\\") == std::string::npos);
        assert(attachment.sha256().size() == 64);
    }
    assert(!mail.report || !mail.report->recipients.empty());
    assert(is_utf8(mime::describe(mail)));
    return 0;
}
