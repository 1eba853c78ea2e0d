// Which parts of a mail are its text, which its HTML, and which its attachments.
#pragma once

#include "mime/read/attachment.h"
#include "mime/read/part.h"

#include <optional>
#include <string>
#include <vector>

namespace mailroom::mime {

enum class TextSource { none, plain, html };

struct Bodies {
    std::string text;  // UTF-8, LF line ends.
    TextSource text_source = TextSource::none;
    std::optional<std::string> html;
    std::vector<ReceivedAttachment> attachments;
};

// Text and HTML are all such parts that are not attachments, joined by a line end; of alternatives
// all are read, since one is the other in a different form. When there is no plain text, or only
// blanks, the text is made from the HTML. A winmail.dat is opened: what is in it takes its place.
// The views in the result are those of `root`.
Bodies read_bodies(const Part& root, const ReadLimits& limits, Defects& defects);

}  // namespace mailroom::mime
