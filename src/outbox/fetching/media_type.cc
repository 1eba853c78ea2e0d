#include "base/text.h"
#include "outbox/accept/compose.h"

namespace mailroom::outbox {

std::string_view media_type_of(std::string_view filename) {
    struct Ending {
        std::string_view ending, type;
    };
    // clang-format off
    static constexpr Ending endings[] = {
        {"avif", "image/avif"},
        {"bmp",  "image/bmp"},
        {"csv",  "text/csv"},
        {"doc",  "application/msword"},
        {"docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"},
        {"eml",  "message/rfc822"},
        {"gif",  "image/gif"},
        {"gz",   "application/gzip"},
        {"htm",  "text/html"},
        {"html", "text/html"},
        {"ics",  "text/calendar"},
        {"jpeg", "image/jpeg"},
        {"jpg",  "image/jpeg"},
        {"json", "application/json"},
        {"mp3",  "audio/mpeg"},
        {"mp4",  "video/mp4"},
        {"odp",  "application/vnd.oasis.opendocument.presentation"},
        {"ods",  "application/vnd.oasis.opendocument.spreadsheet"},
        {"odt",  "application/vnd.oasis.opendocument.text"},
        {"pdf",  "application/pdf"},
        {"png",  "image/png"},
        {"ppt",  "application/vnd.ms-powerpoint"},
        {"pptx", "application/vnd.openxmlformats-officedocument.presentationml.presentation"},
        {"rtf",  "application/rtf"},
        {"svg",  "image/svg+xml"},
        {"tif",  "image/tiff"},
        {"tiff", "image/tiff"},
        {"txt",  "text/plain"},
        {"vcf",  "text/vcard"},
        {"webp", "image/webp"},
        {"xls",  "application/vnd.ms-excel"},
        {"xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"},
        {"xml",  "application/xml"},
        {"zip",  "application/zip"},
    };
    // clang-format on
    const auto dot = filename.rfind('.');
    if (dot == filename.npos) return "";
    for (const auto& [ending, type] : endings) {
        if (ascii_equal_ignoring_case(filename.substr(dot + 1), ending)) return type;
    }
    return "";
}

}  // namespace mailroom::outbox
