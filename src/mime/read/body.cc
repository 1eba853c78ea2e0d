#include "mime/read/body.h"

#include "base/text.h"
#include "mime/html/to_text.h"
#include "mime/read/attribution.h"
#include "mime/read/defect_kinds.h"
#include "mime/read/part_text.h"
#include "mime/read/tnef.h"

namespace mailroom::mime {
namespace {

void join(std::string& all, std::string piece) {
    if (all.empty()) {
        all = std::move(piece);
        return;
    }
    if (!all.ends_with('\n')) all += '\n';
    all += piece;
}

bool is_tnef(const Part& part) {
    return part.is("application/ms-tnef") || part.is("application/vnd.ms-tnef") ||
           ascii_equal_ignoring_case(given_file_name(part), "winmail.dat");
}

std::string text_of_html(std::string_view html) {
    return mail_html_to_text(html, [](std::string_view line) {
        return attribution_at({&line, 1}).lines > 0;
    });
}

class BodyReader {
public:
    BodyReader(const ReadLimits& limits, Defects& defects) : limits_(limits), defects_(defects) {}

    Bodies read(const Part& root) {
        visit(root, false);
        if (has_html_) bodies_.html = std::move(html_);
        if (trim(text_).empty() && bodies_.html && !trim(*bodies_.html).empty()) {
            bodies_.text = text_of_html(truncate_utf8(*bodies_.html, limits_.html_text_bytes_max));
            bodies_.text_source = TextSource::html;
        } else {
            bodies_.text = std::move(text_);
            if (has_text_) bodies_.text_source = TextSource::plain;
        }
        return std::move(bodies_);
    }

private:
    // The depth is that of the structure, which has its limit.
    void visit(const Part& part, bool in_related) {
        if (!part.children.empty() || part.is_multipart()) {
            if (part.children.empty() && !trim(part.body).empty()) return attach(part, false);
            const bool related = in_related || part.is("multipart/related");
            for (const auto& child : part.children) visit(child, related);
            return;
        }
        if (is_body(part)) return add_text(part);
        if (is_tnef(part) && open_tnef(part)) return;
        const bool is_referred = in_related && part.headers.has("Content-ID");
        attach(part, part.disposition.value == "inline" ||
                         (is_referred && part.disposition.value != "attachment"));
    }

    // A text with a file name is a file, unless nothing but it can be the text of the mail.
    bool is_body(const Part& part) const {
        const bool is_html = part.is("text/html");
        if (!is_html && !part.is("text/plain")) return false;
        if (part.disposition.value == "attachment") return false;
        return given_file_name(part).empty() || !(is_html ? has_html_ : has_text_ || has_html_);
    }

    void add_text(const Part& part) {
        auto& all = part.is("text/html") ? html_ : text_;
        if (all.size() >= limits_.text_bytes_max) {
            defect::add_once(defects_, defect::text_too_long, "a text was left out");
            return;
        }
        join(all, read_part_text(part, limits_.text_bytes_max - all.size(), defects_));
        (part.is("text/html") ? has_html_ : has_text_) = true;
    }

    void attach(const Part& part, bool is_inline) {
        const auto number = bodies_.attachments.size() + 1;
        bodies_.attachments.push_back(
            ReceivedAttachment::of_part(part, number, is_inline, defects_));
    }

    bool open_tnef(const Part& part) {
        const auto bytes = part.decoded();
        auto tnef = read_tnef(bytes);
        if (!tnef || tnef->is_broken) {
            add_defect(defects_, defect::bad_tnef,
                       "winmail.dat cannot be read to its end, or a file in it is missing");
        }
        if (!tnef) return false;
        for (auto& inner : tnef->attachments) {
            bodies_.attachments.push_back(
                ReceivedAttachment::of_content(std::string(inner.content), inner.name,
                                               inner.media_type, bodies_.attachments.size() + 1));
            if (!inner.content_id.empty()) {
                bodies_.attachments.back().set_content_id(std::move(inner.content_id));
            }
        }
        // Most such mails have their text outside, too.
        if (trim(text_).empty() && !tnef->text.empty()) {
            text_ = with_plain_line_ends(std::move(tnef->text));
            has_text_ = true;
        }
        if (!has_html_ && !tnef->html.empty()) {
            html_ = with_plain_line_ends(std::move(tnef->html));
            has_html_ = true;
        }
        // A broken one also stays as it is, so that nothing in it is lost.
        return !tnef->is_broken;
    }

    const ReadLimits& limits_;
    Defects& defects_;
    Bodies bodies_;
    std::string text_, html_;
    bool has_text_ = false, has_html_ = false;
};

}  // namespace

Bodies read_bodies(const Part& root, const ReadLimits& limits, Defects& defects) {
    return BodyReader(limits, defects).read(root);
}

}  // namespace mailroom::mime
