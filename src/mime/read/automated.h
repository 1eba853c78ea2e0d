// Was a mail sent by a machine in answer to another (out of office, receipt, bounce)? Such a mail
// must never be answered automatically.
#pragma once

#include "mime/read/headers.h"

#include <string>
#include <string_view>
#include <vector>

namespace mailroom::mime {

struct Automated {
    bool is_automated = false;
    bool is_list = false;              // From a mailing list (RFC 2919): bulk, yet from people.
    std::vector<std::string> reasons;  // For people: `Auto-Submitted: auto-replied`.
};

// Headers decide alone: Auto-Submitted (RFC 3834) other than `no`, X-Autoreply and its kin,
// X-Auto-Response-Suppress when it holds back replies, Precedence bulk, junk or auto_reply, an
// empty Return-Path, and a Content-Type of multipart/report. Else phrases do (`out of office` in
// several languages), looked for in the subject and in the beginning of the new content only: one
// in the subject, or two different ones in all. Everyday words (`vacation`, `bounce`) never count
// alone. `subject` and `new_content` are UTF-8.
Automated detect_automated(const Headers& headers, std::string_view subject,
                           std::string_view new_content);

}  // namespace mailroom::mime
