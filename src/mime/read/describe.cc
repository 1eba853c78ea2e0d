#include "mime/read/describe.h"

#include "base/time_format.h"
#include "mime/read/json_writer.h"

namespace mailroom::mime {
namespace {

class Description {
public:
    std::string of(const ParsedMail& mail, const std::optional<std::vector<dkim::Verdict>>& dkim) {
        json_.begin_object();
        write_headers(mail);
        write_bodies(mail);
        write_attachments(mail.attachments);
        write_automated(mail.automated);
        write_report(mail.report);
        write_signatures(dkim);
        json_.name("defects").begin_array();
        for (const auto& defect : mail.defects) {
            json_.begin_object();
            json_.name("kind").text(defect.kind);
            json_.name("detail").text(defect.detail);
            json_.end_object();
        }
        json_.end_array();
        json_.end_object();
        return std::move(json_).take();
    }

private:
    void write_headers(const ParsedMail& mail) {
        write_mailboxes("from", mail.from);
        json_.name("sender");
        mail.sender ? write_mailbox(*mail.sender) : json_.null();
        write_mailboxes("reply_to", mail.reply_to);
        write_mailboxes("to", mail.to);
        write_mailboxes("cc", mail.cc);
        write_mailboxes("bcc", mail.bcc);
        json_.name("subject").text(mail.subject);
        json_.name("clean_subject").text(mail.clean_subject);
        write_time("date", mail.date);
        write_time("received", mail.received);
        write_optional("message_id", text_of(mail.message_id));
        write_ids("in_reply_to", mail.in_reply_to);
        write_ids("references", mail.references);
        json_.name("is_reply").boolean(mail.is_reply);
    }

    void write_bodies(const ParsedMail& mail) {
        json_.name("text").text(mail.text);
        json_.name("text_source").text(source_name(mail.text_source));
        write_optional("html", mail.html);
        json_.name("new_content").text(mail.new_content);
        json_.name("quoted").text(mail.quoted);
        json_.name("signature").text(mail.signature);
    }

    void write_attachments(const std::vector<ReceivedAttachment>& attachments) {
        json_.name("attachments").begin_array();
        for (const auto& attachment : attachments) {
            json_.begin_object();
            json_.name("name").text(attachment.name());
            json_.name("type").text(attachment.media_type());
            json_.name("size").number(attachment.size_bytes());
            json_.name("sha256").text(attachment.sha256());
            write_optional("content_id", attachment.content_id());
            json_.name("inline").boolean(attachment.is_inline());
            json_.end_object();
        }
        json_.end_array();
    }

    void write_automated(const Automated& automated) {
        json_.name("automated").begin_object();
        json_.name("is_automated").boolean(automated.is_automated);
        json_.name("is_list").boolean(automated.is_list);
        json_.name("reasons");
        write_texts(automated.reasons);
        json_.end_object();
    }

    void write_report(const std::optional<Report>& report) {
        json_.name("report");
        if (!report) return json_.null();
        json_.begin_object();
        json_.name("kind").text(report_kind_name(report->kind));
        json_.name("format").text(report->format);
        write_optional("original_message_id", text_of(report->original_message_id));
        write_optional("reporting_mta", report->reporting_mta);
        write_optional("feedback_type", report->feedback_type);
        write_optional("source_ip", report->source_ip);
        json_.name("recipients").begin_array();
        for (const auto& recipient : report->recipients) {
            json_.begin_object();
            write_optional("address", recipient.address);
            json_.name("outcome").text(outcome_name(recipient.outcome));
            write_optional("status", recipient.status);
            write_optional("diagnostic", recipient.diagnostic);
            write_optional("remote_mta", recipient.remote_mta);
            json_.end_object();
        }
        json_.end_array();
        json_.end_object();
    }

    void write_signatures(const std::optional<std::vector<dkim::Verdict>>& verdicts) {
        json_.name("dkim");
        if (!verdicts) return json_.null();
        json_.begin_array();
        for (const auto& verdict : *verdicts) write_signature(verdict);
        json_.end_array();
    }

    void write_signature(const dkim::Verdict& verdict) {
        json_.begin_object();
        json_.name("result").text(result_name(verdict.outcome));
        write_optional("domain", text_or_none(verdict.domain));
        write_optional("selector", text_or_none(verdict.selector));
        write_optional("identity", text_or_none(verdict.identity));
        write_optional("reason", text_or_none(verdict.reason));
        json_.name("algorithm");
        verdict.domain.empty() ? json_.null() : json_.text(algorithm_name(verdict.algorithm));
        json_.name("signed_headers");
        write_texts(verdict.signed_headers);
        json_.name("body_length");
        verdict.body_length ? json_.number(*verdict.body_length) : json_.null();
        json_.name("body_has_unsigned_end").boolean(verdict.body_has_unsigned_end);
        json_.name("testing").boolean(verdict.testing);
        json_.end_object();
    }

    // The words of Authentication-Results (RFC 8601, 2.7.1).
    static std::string_view result_name(dkim::Verdict::Outcome outcome) {
        using Outcome = dkim::Verdict::Outcome;
        switch (outcome) {
            case Outcome::pass:
                return "pass";
            case Outcome::fail:
                return "fail";
            case Outcome::temporary_error:
                return "temperror";
            case Outcome::permanent_error:
                break;
        }
        return "permerror";
    }

    static std::optional<std::string> text_or_none(const std::string& text) {
        if (text.empty()) return std::nullopt;
        return text;
    }

    static std::string_view source_name(TextSource source) {
        switch (source) {
            case TextSource::none:
                return "none";
            case TextSource::plain:
                return "plain";
            case TextSource::html:
                return "html";
        }
        return "none";
    }

    static std::optional<std::string> text_of(const std::optional<MessageId>& id) {
        if (!id) return std::nullopt;
        return id->value;
    }

    void write_mailbox(const Mailbox& mailbox) {
        json_.begin_object();
        json_.name("name");
        mailbox.display_name.empty() ? json_.null() : json_.text(mailbox.display_name);
        write_optional("address", text_or_none(mailbox.address()));
        write_optional("domain", text_or_none(mailbox.domain));
        json_.end_object();
    }

    void write_mailboxes(std::string_view name, const std::vector<Mailbox>& mailboxes) {
        json_.name(name).begin_array();
        for (const auto& mailbox : mailboxes) write_mailbox(mailbox);
        json_.end_array();
    }

    void write_ids(std::string_view name, const std::vector<MessageId>& ids) {
        json_.name(name).begin_array();
        for (const auto& id : ids) json_.text(id.value);
        json_.end_array();
    }

    void write_texts(const std::vector<std::string>& texts) {
        json_.begin_array();
        for (const auto& text : texts) json_.text(text);
        json_.end_array();
    }

    void write_optional(std::string_view name, const std::optional<std::string>& text) {
        json_.name(name);
        text ? json_.text(*text) : json_.null();
    }

    void write_time(std::string_view name, const std::optional<Time>& time) {
        json_.name(name);
        time ? json_.text(format_rfc3339_seconds(*time)) : json_.null();
    }

    JsonWriter json_;
};

}  // namespace

std::string describe(const ParsedMail& mail,
                     const std::optional<std::vector<dkim::Verdict>>& dkim) {
    return Description().of(mail, dkim);
}

}  // namespace mailroom::mime
