#include "mime/read/parse.h"

#include "base/text.h"
#include "mime/header_text.h"
#include "mime/read/date.h"
#include "mime/read/defect_kinds.h"
#include "mime/read/part_text.h"
#include "mime/read/reply_text.h"
#include "mime/report/find_report.h"
#include "mime/subject.h"

#include <algorithm>

namespace mailroom::mime {
namespace {

// A mail whose first line ends in CR alone comes from a program that ends all lines so.
bool has_bare_cr_line_ends(std::string_view bytes) {
    const auto first = bytes.find_first_of("\r\n");
    return first != bytes.npos && bytes[first] == '\r' && bytes.substr(first + 1, 1) != "\n" &&
           bytes.substr(first + 1, 2) != "\r\n";
}

std::string with_cr_as_lf(std::string_view bytes) {
    std::string text(bytes);
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool is_pair = i + 1 < text.size() && text[i + 1] == '\n';
        if (text[i] == '\r' && !is_pair) text[i] = '\n';
    }
    return text;
}

// `From ann@example.com Sun Nov 15 10:00:00 2026`, but not `From : ann@example.com`.
bool begins_with_mbox_line(std::string_view bytes) {
    if (!bytes.starts_with("From ") && !bytes.starts_with(">From ")) return false;
    const auto rest = bytes.substr(bytes.find(' '), line_end(bytes, 0));
    return !trim(rest).starts_with(':');
}

class MailReader {
public:
    explicit MailReader(const ReadLimits& limits) : limits_(limits) {}

    ParsedMail read(std::string_view bytes) {
        bytes = prepare(bytes);
        mail_.structure = read_structure(bytes, limits_, defects_);
        read_addresses();
        read_subject();
        read_dates();
        read_ids();
        auto bodies = read_bodies(mail_.structure, limits_, defects_);
        mail_.text = std::move(bodies.text);
        mail_.text_source = bodies.text_source;
        mail_.html = std::move(bodies.html);
        mail_.attachments = std::move(bodies.attachments);
        auto reply = split_reply(mail_.text);
        mail_.new_content = std::move(reply.new_content);
        mail_.quoted = std::move(reply.quoted);
        mail_.signature = std::move(reply.signature);
        mail_.report = find_report(mail_.structure, mail_.text, limits_);
        mail_.automated = detect_automated(headers(), mail_.subject, mail_.new_content);
        if (mail_.report) {
            mail_.automated.is_automated = true;
            mail_.automated.reasons.push_back(
                "it is a " + std::string(report_kind_name(mail_.report->kind)) + " report");
        }
        mail_.defects = std::move(defects_);
        return std::move(mail_);
    }

private:
    const Headers& headers() const { return mail_.structure.headers; }

    std::string_view prepare(std::string_view bytes) {
        if (has_bare_cr_line_ends(bytes)) {
            add_defect(defects_, defect::bare_cr, "lines end in CR");
            mail_.rewritten = std::make_unique<const std::string>(with_cr_as_lf(bytes));
            bytes = *mail_.rewritten;
        }
        if (bytes.starts_with("\xef\xbb\xbf")) bytes.remove_prefix(3);  // A byte order mark.
        if (begins_with_mbox_line(bytes)) {
            add_defect(defects_, defect::mbox_line, "a From line before the headers");
            bytes.remove_prefix(line_end(bytes, 0));
        }
        return bytes;
    }

    void report_duplicates(std::string_view name) {
        const auto& fields = headers().fields();
        const auto count = std::ranges::count_if(
            fields, [&](const auto& f) { return ascii_equal_ignoring_case(f.name, name); });
        if (count > 1) add_defect(defects_, defect::duplicate_header, name);
    }

    void take_defects(const Defects& found) {
        for (const auto& d : found) add_defect(defects_, d.kind, d.detail);
    }

    std::vector<Mailbox> first_mailboxes(std::string_view name) {
        const auto raw = headers().find(name);
        if (!raw) return {};
        auto list = parse_address_list_with_local_names(*raw);
        take_defects(list.defects);
        return std::move(list.mailboxes);
    }

    // Of all fields of that name: some senders write one To for each recipient.
    std::vector<Mailbox> all_mailboxes(std::string_view name) {
        std::vector<Mailbox> all;
        for (const auto& field : headers().fields()) {
            if (!ascii_equal_ignoring_case(field.name, name)) continue;
            auto list = parse_address_list_with_local_names(field.value);
            take_defects(list.defects);
            if (all.empty()) {
                all = std::move(list.mailboxes);
            } else if (all.size() < mailboxes_max) {
                std::ranges::move(list.mailboxes, std::back_inserter(all));
            }
        }
        return all;
    }

    void read_addresses() {
        mail_.from = first_mailboxes("From");
        auto sender = first_mailboxes("Sender");
        if (!sender.empty()) mail_.sender = std::move(sender[0]);
        mail_.reply_to = first_mailboxes("Reply-To");
        mail_.to = all_mailboxes("To");
        mail_.cc = all_mailboxes("Cc");
        mail_.bcc = all_mailboxes("Bcc");
        if (mail_.from.empty()) add_defect(defects_, defect::missing_from, "nobody in From");
        for (const auto* name : {"From", "Subject", "Date", "Message-ID"}) report_duplicates(name);
    }

    void read_subject() {
        const auto raw = headers().find("Subject");
        if (!raw) return;
        auto decoded = decode_header_text(*raw);
        take_defects(decoded.defects);
        mail_.subject = std::move(decoded.text);
        mail_.clean_subject = clean_subject(mail_.subject).text;
    }

    void read_dates() {
        if (const auto raw = headers().find("Date")) {
            mail_.date = parse_mail_date(*raw);
            if (!mail_.date) add_defect(defects_, defect::bad_date, *raw);
        }
        // Each relay adds its own above those before it.
        for (const auto& field : headers().fields()) {
            if (!ascii_equal_ignoring_case(field.name, "Received")) continue;
            const auto semicolon = field.value.rfind(';');
            if (semicolon == field.value.npos) continue;
            mail_.received = parse_mail_date(field.value.substr(semicolon + 1));
            if (mail_.received) break;
        }
    }

    std::vector<MessageId> ids(std::string_view name) {
        const auto raw = headers().find(name);
        return raw ? parse_message_ids(*raw) : std::vector<MessageId>();
    }

    void read_ids() {
        if (auto own = ids("Message-ID"); !own.empty()) {
            mail_.message_id = std::move(own[0]);
        } else if (headers().has("Message-ID")) {
            add_defect(defects_, defect::bad_message_id, *headers().find("Message-ID"));
        }
        mail_.in_reply_to = ids("In-Reply-To");
        mail_.references = trim_references(ids("References"));
        mail_.is_reply = !mail_.in_reply_to.empty() || !mail_.references.empty();
    }

    const ReadLimits& limits_;
    ParsedMail mail_;
    Defects defects_;
};

}  // namespace

std::optional<std::string> ParsedMail::header(std::string_view name) const {
    const auto raw = headers().find(name);
    if (!raw) return std::nullopt;
    return decode_header_text(*raw).text;
}

ParsedMail parse(std::string_view bytes, const ReadLimits& limits) {
    return MailReader(limits).read(bytes);
}

}  // namespace mailroom::mime
