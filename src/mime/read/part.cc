#include "mime/read/part.h"

#include "base/text.h"
#include "mime/read/boundary.h"
#include "mime/read/defect_kinds.h"

#include <algorithm>

namespace mailroom::mime {
namespace {

constexpr std::size_t guesses_max = 3;  // Boundaries guessed in one mail.
constexpr std::string_view default_type = "text/plain";

bool is_media_type(std::string_view text) {
    const auto slash = text.find('/');
    return slash != text.npos && slash > 0 && slash + 1 < text.size() &&
           std::ranges::all_of(text, [](char c) { return c > ' ' && c < '\x7f'; });
}

class StructureReader {
public:
    StructureReader(std::string_view bytes, const ReadLimits& limits, Defects& defects)
        : bytes_(bytes), limits_(limits), defects_(defects), open_(bytes) {}

    Part read(std::size_t position) {
        Part root;
        read_part(root, position, default_type);
        return root;
    }

private:
    // Returns the boundary line that ended the part.
    BoundaryLine read_part(Part& part, std::size_t position, std::string_view type_if_absent) {
        ++parts_;
        const auto stops = [this](std::size_t line) { return !open_.match(line).at_end(); };
        auto block = read_headers(bytes_, position, limits_, defects_, stops);
        part.headers = std::move(block.headers);
        read_content_headers(part, type_if_absent);

        BoundaryLine end;
        if (part.is_multipart() && open_multipart(part, block.body)) {
            end = read_children(part, block.body);
            open_.pop();
        } else {
            end = open_.next(block.body);
        }
        part.body = bytes_.substr(block.body, std::max(end.content_end, block.body) - block.body);
        return end;
    }

    void read_content_headers(Part& part, std::string_view type_if_absent) {
        if (const auto type = part.headers.find("Content-Type")) {
            part.type = parse_parameterized(*type);
            if (!is_media_type(part.type.value)) {
                // A sole `text` is what some old programs write.
                if (part.type.value != "text") {
                    add_defect(defects_, defect::bad_content_type, *type);
                }
                part.type.value = default_type;
            }
        } else {
            part.type.value = type_if_absent;
        }
        if (const auto disposition = part.headers.find("Content-Disposition")) {
            part.disposition = parse_parameterized(*disposition);
        }
        if (const auto encoding = part.headers.find("Content-Transfer-Encoding")) {
            part.encoding = parse_transfer_encoding(*encoding);
            if (part.encoding == TransferEncoding::unknown) {
                add_defect(defects_, defect::unknown_encoding, *encoding);
            }
        }
        for (const auto* defects : {&part.type.defects, &part.disposition.defects}) {
            for (const auto& d : *defects) add_defect(defects_, d.kind, d.detail);
        }
    }

    // Puts the boundary on the stack. False, and the part is a leaf, when it cannot be opened.
    bool open_multipart(Part& part, std::size_t body) {
        if (open_.size() >= limits_.depth_max) {
            defect::add_once(defects_, defect::too_deep, "parts nested past the limit");
            return false;
        }
        const auto* named = part.type.find("boundary");
        std::string boundary(named == nullptr ? std::string_view() : trim(*named));
        if (boundary.empty()) {
            boundary = guess_boundary(body);
            add_defect(defects_, defect::missing_boundary, part.type.value + " names no boundary");
        }
        if (boundary.empty()) {
            part.type.value = default_type;
            return false;
        }
        open_.push(std::move(boundary));
        return true;
    }

    BoundaryLine read_children(Part& part, std::size_t position) {
        const auto level = open_.size() - 1;
        const std::string_view type_if_absent =
            part.is("multipart/digest") ? "message/rfc822" : default_type;
        auto line = open_.next(position);
        if (line.level != level) return without_children(part, position, line);

        while (line.level == level && !line.closes) {
            if (parts_ >= limits_.parts_max) {
                defect::add_once(defects_, defect::too_many_parts, "parts past the limit");
                return {BoundaryLine::none, bytes_.size(), bytes_.size(), false};
            }
            part.children.emplace_back();
            line = read_part(part.children.back(), line.next, type_if_absent);
        }
        if (line.level != level) {
            if (parts_ >= limits_.parts_max) return line;
            add_defect(defects_, defect::missing_final_boundary, part.type.value + " just stops");
            return line;
        }
        // What follows until a line of an outer multipart is for no one (RFC 2046, 5.1.1).
        return next_outer(line.next);
    }

    // A second multipart of the same boundary after the close of the first is not read; but where
    // an outer one has the same boundary, its next part is.
    BoundaryLine next_outer(std::size_t position) {
        const auto own = open_.next(position);
        auto closed = open_.take();
        const auto line = open_.next(position);
        open_.push(std::move(closed));
        // A mail inside of this one may have had the same boundary, and closed it.
        const bool is_passed_over = own.next < line.next || (line.at_end() && !own.at_end());
        if (is_passed_over && !own.closes) {
            defect::add_once(defects_, defect::part_after_end,
                             "a part below the end of its multipart was passed over");
        }
        return line;
    }

    // The named boundary never comes. Perhaps another one does; otherwise it is a plain text.
    BoundaryLine without_children(Part& part, std::size_t position, BoundaryLine end) {
        add_defect(defects_, defect::missing_boundary, "the boundary of the multipart never comes");
        std::string guessed = guess_boundary(position);
        if (guessed.empty()) {
            part.type.value = default_type;
            return end;
        }
        open_.pop();
        open_.push(std::move(guessed));
        return read_children(part, position);
    }

    // A guess may cost a look at bytes that are looked at again, so there are few in one mail.
    std::string guess_boundary(std::size_t position) {
        if (guesses_ >= guesses_max) return {};
        ++guesses_;
        return std::string(open_.guess(position));
    }

    std::string_view bytes_;
    const ReadLimits& limits_;
    Defects& defects_;
    BoundaryStack open_;
    std::size_t parts_ = 0;
    std::size_t guesses_ = 0;
};

}  // namespace

Part read_structure(std::string_view bytes, const ReadLimits& limits, Defects& defects) {
    return StructureReader(bytes, limits, defects).read(0);
}

}  // namespace mailroom::mime
