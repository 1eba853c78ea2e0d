// Reads any bytes as an address list, message ids, header text, parameters and a subject, and
// checks what must hold of every result: it is clean UTF-8, and what is written from it is read
// back the same.
#include "base/text.h"
#include "mime/address.h"
#include "mime/header_text.h"
#include "mime/header_writer.h"
#include "mime/message_id.h"
#include "mime/parameters.h"
#include "mime/subject.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace {

using namespace mailroom;
using namespace mailroom::mime;

bool is_clean(std::string_view text) {
    const auto is_control = [](char c) {
        return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
    };
    return is_utf8(text) && std::ranges::none_of(text, is_control);
}

// No line break that does not fold, no line too long, nothing but ASCII.
void check_field(std::string_view field) {
    std::size_t line = 0;
    for (std::size_t i = 0; i < field.size(); ++i) {
        assert(static_cast<unsigned char>(field[i]) < 0x80);
        line = field[i] == '\n' ? 0 : line + 1;
        assert(line <= line_bytes_max + 1);
        const bool is_last = i + 1 == field.size();
        if (field[i] == '\n') assert(i > 0 && field[i - 1] == '\r');
        if (field[i] == '\n' && !is_last) assert(field[i + 1] == ' ' || field[i + 1] == '\t');
        if (field[i] == '\r') assert(!is_last && field[i + 1] == '\n');
    }
}

void check_addresses(std::string_view text) {
    const auto list = parse_address_list(text);
    assert(list.defects.size() <= defects_max);
    for (const auto& mailbox : list.mailboxes) {
        assert(is_clean(mailbox.display_name));
        assert(is_clean(mailbox.local_part) && !mailbox.local_part.empty());
        assert(is_clean(mailbox.domain) && !mailbox.domain.empty());
        const auto form = canonical(mailbox);
        // In lower case, and with its quotes, an address may have become longer than one may be.
        if (form.size() > lenient_address_bytes_max) continue;
        const auto again = parse_address_list(form);
        assert(again.mailboxes.size() == 1 && canonical(again.mailboxes[0]) == form);
        if (!check_address(mailbox)) continue;
        const auto header = parse_address_list(to_header_text(mailbox));
        assert(header.mailboxes.size() == 1 && canonical(header.mailboxes[0]) == form);
        assert(trim(header.mailboxes[0].display_name) == trim(mailbox.display_name));
    }
    for (const auto& group : list.groups) {
        assert(group.first + group.count <= list.mailboxes.size() && is_clean(group.name));
    }
    const auto one = parse_address(text);
    assert(one ? static_cast<bool>(check_address(*one)) : !one.error().message.empty());
}

void check_ids(std::string_view text) {
    const auto ids = parse_message_ids(text);
    std::string written;
    for (const auto& id : ids) written += id.bracketed() + " ";
    const auto again = parse_message_ids(written);
    // Quotes that do not close may still swallow a space in the second reading.
    if (text.find('"') == text.npos) assert(again == ids);
}

void check_header_text(std::string_view text) {
    const auto decoded = decode_header_text(text);
    assert(is_clean(decoded.text));
    std::string field;
    HeaderWriter writer(field, "Subject");
    writer.text(decoded.text);
    writer.end();
    check_field(field);
    assert(trim(decode_header_text(std::string_view(field).substr(8)).text) == trim(decoded.text));
    const auto words = encode_words(decoded.text);
    assert(decode_header_text(words).text == decoded.text);
    const auto cleaned = clean_subject(decoded.text);
    assert(clean_subject(cleaned.text).text == cleaned.text);
}

void check_parameters(std::string_view text) {
    const auto read = parse_parameterized(text);
    assert(read.parameters.size() <= parameters_max);
    for (const auto& parameter : read.parameters) {
        assert(is_clean(parameter.value));
        std::string field;
        HeaderWriter writer(field, "Content-Type");
        writer.token("a/b");
        writer.parameter("p", parameter.value);
        writer.end();
        check_field(field);
        const auto again = parse_parameterized(std::string_view(field).substr(13));
        // A plain value that holds an encoded word is decoded: many programs write them there.
        if (parameter.value.find("=?") != std::string::npos) continue;
        assert(again.find("p") && *again.find("p") == parameter.value);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(bytes), size);
    check_addresses(text);
    check_ids(text);
    check_header_text(text);
    check_parameters(text);
    return 0;
}
