#include "mime/report/plain_bounce.h"

#include "base/text.h"
#include "mime/address.h"
#include "mime/header_text.h"
#include "mime/report/original.h"
#include "mime/report/status.h"

#include <algorithm>
#include <string>
#include <vector>

namespace mailroom::mime {
namespace {

constexpr std::size_t text_bytes_max = 64 * 1024;  // A bounce explains itself in a page.
constexpr std::size_t address_line_bytes_max = 320;

bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

// How each kind of server words it. In lower case; the first that is found names the format.
struct Wording {
    std::string_view phrase, format;
    bool is_delay = false;
};
constexpr Wording wordings[] = {
    {"this is the qmail-send program", "qmail"},
    {"sorry, we were unable to deliver your message to the following address", "yahoo"},
    {"this message was created automatically by mail delivery software", "exim"},
    {"has not yet been delivered to one or more of its recipients", "exim", true},
    {"could not be delivered to one or more of its recipients", "exim"},
    {"the following address failed", "gmx"},
    {"the following addresses failed", "gmx"},
    {"this is the mail system at host", "postfix"},
    {"this is the postfix program at host", "postfix"},
    {"delivery to the following recipient failed permanently", "gmail"},
    {"delivery to the following recipients failed permanently", "gmail"},
    {"delivery to the following recipient has been delayed", "gmail", true},
    {"your message wasn't delivered to", "gmail"},
    {"your message wasn’t delivered to", "gmail"},
    {"did not reach some or all of the intended recipients", "exchange"},
    {"delivery has failed to these recipients or groups", "exchange"},
    {"delivery has failed to these recipients or distribution lists", "exchange"},
    {"your message couldn't be delivered", "exchange"},
    {"an error occurred while trying to deliver the mail to the following recipients", "ses"},
    {"the following message to <", "ironport"},
    {"the following addresses had permanent fatal errors", "sendmail"},
    {"the following addresses had transient non-fatal errors", "sendmail", true},
    {"the following addresses had permanent delivery errors", "sendmail"},
    {"your message was not delivered to the following recipients", "plain"},
    {"could not be delivered to the following recipients", "plain"},
    {"delivery to the following recipients failed", "plain"},
    {"undeliverable", "plain"},
    {"mail delivery failed", "plain"},
};

// Where the report ends and the returned mail begins. In lower case, at the start of a line.
constexpr std::string_view returned_marks[] = {
    "--- below this line is a copy of the message",
    "--- below the next line is a copy of the message",
    "------ this is a copy of the message, including all the headers",
    "------ this is a copy of your message, including all the headers",
    "------ this is a copy of the headers",
    "--- the header of the original message is following",
    "--- original message headers",
    "original message headers:",
    "original message follows",
    "--- original message",
    "----- original message -----",
    "   ----- original message -----",
    "--- enclosed are the original headers",
    "-----original message",
};

bool is_daemon(std::string_view local_part) {
    const auto name = ascii_lower(local_part);
    return name.starts_with("mailer-daemon") || name == "postmaster" || name == "mailerdaemon" ||
           name == "mail-daemon" || name == "mdaemon" || name == "mailer_daemon" ||
           name.starts_with("mailer-");
}

bool is_from_daemon(const Headers& headers) {
    if (headers.has("X-Failed-Recipients")) return true;
    if (const auto path = headers.find("Return-Path"); path && trim(*path) == "<>") return true;
    if (const auto from = headers.find("From")) {
        for (const auto& mailbox : parse_address_list(*from).mailboxes) {
            if (is_daemon(mailbox.local_part)) return true;
        }
    }
    return false;
}

// The address that a line begins with, as bounces write it: `<a@b>:`, `a@b`, `'a@b' on 1/1/2026`,
// `a@b (a@b)`, `Ann Lee (ann@example.com)`. The rest of the line goes to `after`.
std::optional<std::string> address_at(std::string_view line, std::string_view& after) {
    line = trim(line);
    if (line.size() > address_line_bytes_max && line.find(' ') > address_line_bytes_max) {
        return std::nullopt;
    }
    const char quote = line.empty() ? '\0' : line[0];
    const bool is_quoted = quote == '<' || quote == '\'' || quote == '"';
    auto word = line.substr(is_quoted ? 1 : 0);
    const auto end = std::min(word.find_first_of(is_quoted ? ">'\" \t" : " \t,;<>()"), word.size());
    after = word.substr(end);
    word = word.substr(0, end);
    if (!is_quoted && word.ends_with(':')) {
        word.remove_suffix(1);
        after = line.substr(end);
    } else if (!after.empty()) {
        // `who@example.com said hello` is a sentence.
        const auto rest = trim(is_quoted ? after.substr(1) : after);
        const bool goes_on = rest.empty() || rest[0] == ':' || rest[0] == '(' || rest[0] == '<' ||
                             rest.starts_with("on ");
        if (!goes_on) return std::nullopt;
        after = rest.starts_with(':') ? rest.substr(1) : rest;
    }
    if (!contains(word, "@")) return std::nullopt;
    const auto address = parse_address(word);
    if (!address) return std::nullopt;
    return address->address();
}

// A recipient, and the lines about it up to the next one.
class ParagraphReader {
public:
    explicit ParagraphReader(bool is_delay) : is_delay_(is_delay) {}

    std::vector<ReportedRecipient> read(std::string_view text) {
        while (!text.empty()) {
            const auto end = std::min(text.find('\n'), text.size());
            add(text.substr(0, end));
            text.remove_prefix(std::min(end + 1, text.size()));
        }
        finish();
        return std::move(recipients_);
    }

private:
    void add(std::string_view line) {
        std::string_view after;
        // Within what a server said, an address is only quoted.
        auto address = address_at(line, after);
        const bool is_repeated = address && current_ && current_->address == address;
        if (address && !is_repeated) {
            finish();
            current_.emplace();
            current_->address = std::move(address);
            said_ = after;
            return;
        }
        if (!current_ || said_.size() > diagnostic_bytes_max) return;
        said_ += ' ';
        said_ += trim(line);
    }

    void finish() {
        if (!current_ || recipients_.size() >= recipients_max) return;
        current_->diagnostic = tidy_diagnostic(said_);
        current_->status = find_enhanced_status(said_);
        current_->outcome = is_delay_ ? Outcome::delayed : failure_outcome(current_->status, said_);
        recipients_.push_back(std::move(*current_));
        current_.reset();
        said_.clear();
    }

    bool is_delay_;
    std::vector<ReportedRecipient> recipients_;
    std::optional<ReportedRecipient> current_;
    std::string said_;
};

struct Halves {
    std::string_view report, returned;
};

Halves split_at_returned(std::string_view text, const std::string& lower) {
    for (std::size_t start = 0; start < lower.size();) {
        const auto rest = std::string_view(lower).substr(start);
        for (const auto mark : returned_marks) {
            if (!rest.starts_with(mark)) continue;
            const auto end = std::min(text.find('\n', start), text.size());
            return {text.substr(0, start), text.substr(end)};
        }
        const auto end = lower.find('\n', start);
        if (end == lower.npos) break;
        start = end + 1;
    }
    return {text, {}};
}

// The addresses that Exim and Gmail name in a header, for whom the text says something or not.
void add_failed_recipients(const Headers& headers, std::string_view said, Report& report) {
    const auto named = headers.find("X-Failed-Recipients");
    if (!named) return;
    for (const auto& mailbox : parse_address_list(*named).mailboxes) {
        const auto address = mailbox.address();
        const bool known = std::ranges::any_of(
            report.recipients, [&](const auto& recipient) { return recipient.address == address; });
        if (known || report.recipients.size() >= recipients_max) continue;
        ReportedRecipient recipient;
        recipient.address = address;
        recipient.status = find_enhanced_status(said);
        recipient.outcome = failure_outcome(recipient.status, said);
        recipient.diagnostic = tidy_diagnostic(said);
        report.recipients.push_back(std::move(recipient));
    }
}

// `Your message wasn't delivered to ann@example.com because …`
void add_named_in_sentence(std::string_view text, std::string_view phrase, std::size_t place,
                           bool is_delay, Report& report) {
    auto rest = trim(text.substr(place + phrase.size()));
    if (phrase.ends_with('<')) rest = rest.substr(0, rest.find('>'));
    const auto word = rest.substr(0, rest.find_first_of(" \t\n>,;"));
    const auto address =
        parse_address(word.ends_with('.') ? word.substr(0, word.size() - 1) : word);
    if (!address) return;
    ReportedRecipient recipient;
    recipient.address = address->address();
    recipient.status = find_enhanced_status(text);
    recipient.outcome = is_delay ? Outcome::delayed : failure_outcome(recipient.status, text);
    recipient.diagnostic = tidy_diagnostic(text.substr(place));
    report.recipients.push_back(std::move(recipient));
}

bool has_delay_subject(const Headers& headers) {
    const auto subject = headers.find("Subject");
    if (!subject) return false;
    const auto lower = ascii_lower(*subject);
    return contains(lower, "delay") || contains(lower, "warning: message");
}

}  // namespace

std::optional<PlainBounce> read_plain_bounce(const Headers& headers, std::string_view text) {
    if (!is_from_daemon(headers)) return std::nullopt;
    text = text.substr(0, text_bytes_max);
    const auto lower = ascii_lower(text);
    const auto* wording = std::ranges::find_if(
        wordings, [&](const Wording& known) { return contains(lower, known.phrase); });
    const bool is_known = wording != std::end(wordings);
    if (!is_known && !headers.has("X-Failed-Recipients")) return std::nullopt;

    PlainBounce bounce;
    const auto halves = split_at_returned(text, lower);
    bounce.returned = halves.returned;
    bounce.report.format = is_known ? wording->format : "exim";
    const bool is_delay = (is_known && wording->is_delay) || has_delay_subject(headers);
    bounce.report.recipients = ParagraphReader(is_delay).read(halves.report);
    if (bounce.report.recipients.empty() && is_known) {
        const auto place = lower.find(wording->phrase);
        if (place < halves.report.size()) {
            add_named_in_sentence(halves.report, wording->phrase, place, is_delay, bounce.report);
        }
    }
    if (!is_delay) add_failed_recipients(headers, halves.report, bounce.report);
    if (bounce.report.recipients.empty()) return std::nullopt;
    return bounce;
}

}  // namespace mailroom::mime
