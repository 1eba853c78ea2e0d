// winmail.dat: the Transport Neutral Encapsulation Format in which Outlook sometimes wraps a mail's
// attachments and text ([MS-OXTNEF], [MS-OXCDATA]).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::mime {

struct TnefAttachment {
    std::string name;        // UTF-8; may be empty.
    std::string media_type;  // Empty when not told.
    std::string content_id;  // May be empty.
    std::string_view content;
    bool has_content = false;  // It was told; that of a file may be empty all the same.
    bool is_object = false;    // Of another program, or a mail: never empty.
};

// Views into the bytes that were read, which must outlive it.
struct Tnef {
    std::vector<TnefAttachment> attachments;
    std::string text;  // UTF-8; empty when there is none.
    std::string html;  // UTF-8; empty when there is none.
    // Stopped early, or an attachment has no content; what was read up to there is here.
    bool is_broken = false;
};

// None if it is not TNEF at all. Linear time. Compressed RTF bodies are left out.
std::optional<Tnef> read_tnef(std::string_view bytes);

}  // namespace mailroom::mime
