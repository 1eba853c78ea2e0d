// Reads every answer of the corpus, tests/corpus/answers/answers.txt.
#include "engagement/bounces/classifier.h"

#include "base/text.h"
#include "engagement/bounces/known_answers.h"

#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <set>
#include <string>
#include <vector>

namespace mailroom::engagement::bounces {

static void PrintTo(const Diagnosis& diagnosis, std::ostream* out) {
    *out << name_of(diagnosis.severity) << " " << name_of(diagnosis.cause) << " by "
         << (diagnosis.provider.empty() ? "nobody known" : diagnosis.provider);
}

namespace {

struct Answer {
    int line = 0;
    std::string cause, provider, host, text;
};

std::string known_or_empty(std::string_view field) {
    const auto value = trim(field);
    return value == "-" ? "" : std::string(value);
}

std::vector<Answer> corpus() {
    std::vector<Answer> answers;
    std::ifstream file(ANSWER_CORPUS);
    std::string line;
    for (int number = 1; std::getline(file, line); ++number) {
        if (line.empty() || line.starts_with('#')) continue;
        std::array<std::string, 3> fields;
        std::string_view rest = line;
        for (auto& field : fields) {
            const auto bar = rest.find(" | ");
            field = known_or_empty(rest.substr(0, bar));
            rest.remove_prefix(bar + 3);
        }
        answers.push_back({number, fields[0], fields[1], fields[2], std::string(trim(rest))});
    }
    return answers;
}

int code_before(std::string_view text) {
    if (text.size() < 4 || text[0] < '4' || text[0] > '5') return 0;
    return std::stoi(std::string(text.substr(0, 3)));
}

TEST(Classifier, KnowsWhatRealServersAnswer) {
    const auto answers = corpus();
    ASSERT_GE(answers.size(), 150U);
    for (const auto& answer : answers) {
        SCOPED_TRACE("line " + std::to_string(answer.line) + ": " + answer.text);
        const auto code = code_before(answer.text);
        const auto text = code == 0 ? answer.text : answer.text.substr(4);
        const auto cause = named<Cause>(answer.cause);
        ASSERT_TRUE(cause) << answer.cause;
        const Diagnosis want{severity_of(*cause), *cause, answer.provider};
        EXPECT_EQ(classify({.code = code, .text = text, .host = answer.host}), want);
        // As a report has it: on one line with its code.
        EXPECT_EQ(classify({.text = answer.text, .host = answer.host}), want);
    }
}

TEST(Classifier, BelievesAStatusThatMeansOneThingAndWordsBesideOneThatMeansAnything) {
    struct Case {
        std::string_view name;
        Refused refused;
        Cause want;
    };
    using enum Cause;
    // clang-format off
    const Case cases[] = {
        {"status alone", {550, "5.1.1"}, mailbox_unknown},
        {"status against words", {550, "5.1.1", "rejected by policy"}, mailbox_unknown},
        {"full beats size words", {552, "5.2.2", "message size limit"}, mailbox_full},
        {"words that outweigh", {550, "5.1.1", "listed in spamhaus"}, blocklisted},
        {"a status for anything", {550, "5.7.1", "no such user"}, mailbox_unknown},
        {"and no words", {550, "5.7.1"}, policy},
        {"an unknown status", {550, "5.9.9", "mailbox full"}, mailbox_full},
        {"a status that is none", {550, "five", "no such user"}, mailbox_unknown},
        {"code alone, full", {552}, mailbox_full},
        {"code alone", {550}, unclear},
        {"code for now", {451}, server_failed},
        {"nothing at all", {}, unclear},
    };
    // clang-format on
    for (const auto& c : cases) EXPECT_EQ(classify(c.refused).cause, c.want) << c.name;
}

TEST(Classifier, NeverCallsAPersonGoneOfWhomItIsSaidForNowOnly) {
    for (const auto& status : known_statuses()) {
        const auto text = "4." + std::to_string(status.subject) + "." +
                          std::to_string(status.detail) + " no such user here";
        EXPECT_NE(classify({.code = 450, .text = text}).severity, Severity::hard) << text;
    }
    EXPECT_NE(classify({.code = 450, .text = "no such user"}).severity, Severity::hard);
    // The status is more exact than the code.
    EXPECT_NE(classify({.code = 550, .text = "4.1.1 no such user"}).severity, Severity::hard);
}

TEST(Classifier, DoesNotReadTheAddressThatAnAnswerRepeats) {
    EXPECT_EQ(classify({.code = 550, .text = "<no-such-user.spamhaus@example.com>: go away"}).cause,
              Cause::unclear);
    EXPECT_EQ(classify({.code = 550, .text = "<5.1.1@example.com> is not wanted"}).cause,
              Cause::unclear);
    EXPECT_EQ(classify({.code = 550, .text = "5.2.2 over quota: dkim@example.com"}).cause,
              Cause::mailbox_full);
}

TEST(Classifier, TakesHostsByTheirEndOnly) {
    EXPECT_EQ(classify({.host = "aspmx.l.google.com."}).provider, "gmail");
    EXPECT_EQ(classify({.host = "ASPMX.L.GOOGLE.COM:25"}).provider, "gmail");
    EXPECT_EQ(classify({.host = "google.com"}).provider, "gmail");
    EXPECT_EQ(classify({.host = "notgoogle.com"}).provider, "");
    EXPECT_EQ(classify({.host = "gmail.google.com.example.org"}).provider, "");
}

TEST(Classifier, ReadsAnyBytesOfAnyLength) {
    const std::string long_text = "no such " + std::string(1'000'000, 'x');
    EXPECT_EQ(classify({.code = 550, .text = long_text}).cause, Cause::unclear);
    const std::string bytes("\0\xff\xfe 5.1.1 \r\n\t user\0unknown", 27);
    EXPECT_EQ(classify({.code = 550, .text = bytes}).cause, Cause::mailbox_unknown);
}

TEST(Classifier, HasDataThatCanBeFound) {
    std::set<std::string_view> providers;
    for (const auto& provider : known_providers()) {
        EXPECT_NE(provider.host.empty(), provider.words.empty()) << provider.name;
        EXPECT_TRUE(provider.host.empty() || provider.host.starts_with('.')) << provider.host;
        providers.insert(provider.name);
    }
    std::set<std::pair<std::string_view, std::string_view>> seen;
    const auto check = [&](const KnownWords& words) {
        EXPECT_EQ(words.words, ascii_lower(words.words));
        EXPECT_EQ(words.words.find('@'), words.words.npos) << words.words;
        EXPECT_TRUE(seen.emplace(words.provider, words.words).second) << words.words;
    };
    for (const auto& words : known_words_of_providers()) {
        EXPECT_TRUE(providers.contains(words.provider)) << words.provider;
        check(words);
    }
    for (const auto& words : known_words_of_anybody()) {
        EXPECT_EQ(words.provider, "");
        check(words);
    }
    std::set<std::pair<int, int>> statuses;
    for (const auto& status : known_statuses()) {
        EXPECT_TRUE(statuses.emplace(status.subject, status.detail).second)
            << status.subject << "." << status.detail;
    }
}

TEST(Classifier, SaysTheTypeInTheWordsOfTheSeed) {
    EXPECT_EQ(bounce_type(Severity::hard), "Permanent");
    EXPECT_EQ(bounce_type(Severity::soft), "Transient");
    EXPECT_EQ(bounce_type(Severity::policy), "Undetermined");
    EXPECT_EQ(bounce_type(Severity::unclear), "Undetermined");
}

}  // namespace
}  // namespace mailroom::engagement::bounces
