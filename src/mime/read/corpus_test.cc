// Reads every mail of the corpus and compares with its table, tests/corpus/mail/expected.txt.
#include "base/text.h"
#include "base/time_format.h"
#include "mime/read/describe.h"
#include "mime/read/parse.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace mailroom::mime {
namespace {

// Values of each key, in order.
using Facts = std::map<std::string, std::vector<std::string>>;

std::string read_file(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::string with_escapes(std::string_view text) {
    std::string out;
    for (const char c : text) c == '\n' ? out += "\\n" : out += c;
    return out;
}

std::map<std::string, Facts> read_expectations() {
    std::map<std::string, Facts> sections;
    std::ifstream file(std::filesystem::path(MAIL_CORPUS_DIRECTORY) / "expected.txt");
    std::string line, section;
    while (std::getline(file, line)) {
        if (line.empty() || line.starts_with('#')) continue;
        if (line.starts_with('[')) {
            section = line.substr(1, line.size() - 2);
            sections[section];
            continue;
        }
        const auto equals = line.find('=');
        const std::string key(trim(line.substr(0, equals)));
        const auto value = line.substr(equals + 1);
        sections[section][key].emplace_back(value.starts_with(' ') ? value.substr(1) : value);
    }
    return sections;
}

class FactReader {
public:
    Facts of(const ParsedMail& mail) {
        add_headers(mail);
        add_bodies(mail);
        add_report(mail);
        add("automated", mail.automated.is_automated ? "yes" : "no");
        add("list", mail.automated.is_list ? "yes" : "no");
        for (const auto& defect : mail.defects) add("defect", defect.kind);
        return std::move(facts_);
    }

private:
    void add(const std::string& key, std::string_view value) {
        facts_[key].push_back(with_escapes(value));
    }
    void add_mailbox(const std::string& key, const Mailbox& mailbox) {
        const auto space = mailbox.display_name.empty() ? "" : " ";
        add(key, mailbox.display_name + space + "<" + mailbox.address() + ">");
    }
    void add_optional(const std::string& key, const std::optional<std::string>& value) {
        add(key, value.value_or("none"));
    }
    void add_time(const std::string& key, const std::optional<Time>& time) {
        add(key, time ? format_rfc3339_seconds(*time) : "none");
    }

    void add_headers(const ParsedMail& mail) {
        for (const auto& mailbox : mail.from) add_mailbox("from", mailbox);
        if (mail.sender) add_mailbox("sender", *mail.sender);
        for (const auto& mailbox : mail.reply_to) add_mailbox("reply_to", mailbox);
        for (const auto& mailbox : mail.to) add_mailbox("to", mailbox);
        for (const auto& mailbox : mail.cc) add_mailbox("cc", mailbox);
        add("subject", mail.subject);
        add("clean_subject", mail.clean_subject);
        add_time("date", mail.date);
        add_time("received", mail.received);
        add("message_id", mail.message_id ? mail.message_id->value : "none");
        for (const auto& id : mail.in_reply_to) add("in_reply_to", id.value);
        for (const auto& id : mail.references) add("references", id.value);
        add("reply", mail.is_reply ? "yes" : "no");
    }

    void add_bodies(const ParsedMail& mail) {
        constexpr std::string_view sources[] = {"none", "plain", "html"};
        add("text", mail.text);
        add("text_source", sources[static_cast<std::size_t>(mail.text_source)]);
        add_optional("html", mail.html);
        add("new_content", mail.new_content);
        add("signature", mail.signature);
        add("attachments", std::to_string(mail.attachments.size()));
        for (const auto& attachment : mail.attachments) {
            add("attachment", attachment.name() + "|" + attachment.media_type() + "|" +
                                  std::to_string(attachment.size_bytes()) + "|" +
                                  (attachment.is_inline() ? "inline" : "offered"));
            add("sha256", attachment.sha256());
            add_optional("content_id", attachment.content_id());
            EXPECT_EQ(attachment.content().size(), attachment.size_bytes());
        }
    }

    void add_report(const ParsedMail& mail) {
        if (!mail.report) return add("report", "none");
        const auto& report = *mail.report;
        const std::string kind(report_kind_name(report.kind));
        add("report", kind + "|" + report.format);
        add("original_message_id",
            report.original_message_id ? report.original_message_id->value : "none");
        add_optional("feedback_type", report.feedback_type);
        add_optional("source_ip", report.source_ip);
        for (const auto& recipient : report.recipients) {
            add("recipient", recipient.address.value_or("none") + "|" +
                                 std::string(outcome_name(recipient.outcome)) + "|" +
                                 recipient.status.value_or("none"));
            add_optional("diagnostic", recipient.diagnostic);
            add_optional("remote_mta", recipient.remote_mta);
        }
    }

    Facts facts_;
};

TEST(MailCorpus, EachMailIsUnderstoodAsItsTableSays) {
    const auto sections = read_expectations();
    ASSERT_GE(sections.size(), 60u);
    for (const auto& [name, expected] : sections) {
        SCOPED_TRACE(name);
        const auto path = std::filesystem::path(MAIL_CORPUS_DIRECTORY) / (name + ".eml");
        ASSERT_TRUE(std::filesystem::exists(path));
        const auto bytes = read_file(path);
        const auto mail = parse(bytes);
        auto facts = FactReader().of(mail);
        for (const auto& [key, values] : expected) {
            SCOPED_TRACE(key);
            EXPECT_EQ(facts[key], values);
        }
        if (!expected.contains("defect")) {
            EXPECT_EQ(facts["defect"], std::vector<std::string>());
        }
        EXPECT_TRUE(is_utf8(describe(mail)));
    }
}

TEST(MailCorpus, EachMailHasATable) {
    const auto sections = read_expectations();
    for (const auto& entry : std::filesystem::directory_iterator(MAIL_CORPUS_DIRECTORY)) {
        if (entry.path().extension() != ".eml") continue;
        EXPECT_TRUE(sections.contains(entry.path().stem().string())) << entry.path();
    }
}

// Whatever a transfer that breaks off, or a wrong byte, leaves of a mail.
TEST(MailCorpus, EachMailCutOrDamagedAnywhereIsStillRead) {
    for (const auto& entry : std::filesystem::directory_iterator(MAIL_CORPUS_DIRECTORY)) {
        if (entry.path().extension() != ".eml") continue;
        SCOPED_TRACE(entry.path());
        auto bytes = read_file(entry.path());
        const auto step = bytes.size() / 15 + 1;
        for (std::size_t cut = 0; cut < bytes.size(); cut += step) {
            EXPECT_TRUE(is_utf8(parse(std::string_view(bytes).substr(0, cut)).text));
            const char kept = std::exchange(bytes[cut], '\xff');
            EXPECT_TRUE(is_utf8(describe(parse(std::string_view(bytes)))));
            bytes[cut] = kept;
        }
    }
}

}  // namespace
}  // namespace mailroom::mime
