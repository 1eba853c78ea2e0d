// A part of a mail that is not its text: a file, a picture in the HTML, a forwarded message.
#pragma once

#include "mime/read/part.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace mailroom::mime {

class ReceivedAttachment {
public:
    // Views the bytes of the mail, which must outlive it. Decodes once, for size and hash, without
    // keeping the content. `number` is for a name when there is none.
    static ReceivedAttachment of_part(const Part& part, std::size_t number, bool is_inline,
                                      Defects& defects);
    // Keeps a copy of the content.
    static ReceivedAttachment of_content(std::string content, std::string_view name,
                                         std::string_view media_type, std::size_t number);

    const std::string& name() const { return name_; }  // Safe to save under, never empty; UTF-8.
    const std::string& media_type() const { return media_type_; }  // Lower case.
    std::uint64_t size_bytes() const { return size_bytes_; }       // Decoded.
    const std::string& sha256() const { return sha256_; }          // Of the content; hexadecimal.
    const std::optional<std::string>& content_id() const { return content_id_; }  // No brackets.
    bool is_inline() const { return is_inline_; }  // Shown in the text, not offered beside it.
    // Decodes again at each call.
    std::string content() const;

    void set_content_id(std::string id) { content_id_ = std::move(id); }

private:
    ReceivedAttachment() = default;

    std::string name_;
    std::string media_type_;
    std::uint64_t size_bytes_ = 0;
    std::string sha256_;
    std::optional<std::string> content_id_;
    bool is_inline_ = false;
    std::string_view encoded_;
    TransferEncoding encoding_ = TransferEncoding::identity;
    std::optional<std::string> own_content_;
};

// The file name that a part gives itself, decoded but not made safe; empty when it has none.
std::string_view given_file_name(const Part& part);

}  // namespace mailroom::mime
