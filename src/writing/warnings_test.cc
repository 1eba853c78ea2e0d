#include "writing/warnings.h"

#include "writing/plain_text.h"

#include <gtest/gtest.h>

namespace mailroom::writing {
namespace {

std::string codes(const std::string& text, std::string html = "") {
    if (html.empty()) html = html_of(text, "Innovate AI");
    std::string found;
    const KnownFacts facts{.operators_text = "Pay at https://pay.example.com/now",
                           .signature = "Innovate AI"};
    for (const auto& warning : warnings_about({"Reminder", text, html}, facts)) {
        found += (found.empty() ? "" : " ") + warning.code;
    }
    return found;
}

TEST(Warnings, TellWhatAPersonShouldLookAt) {
    struct Case {
        std::string_view text, want;
    };
    const Case cases[] = {
        {"Dear John, $1,500.00 is overdue: INV-001 $1,000.00, INV-002 500.00 USD.", ""},
        {"Dear John, $1500 is overdue.", ""},
        {"Dear John, it was due on 2025-08-20, 12 days ago.", ""},
        {"I'm sorry, but I cannot write this letter.", "refusal_text"},
        {"As an AI language model I would say: pay.", "refusal_text"},
        {"Dear John, pay. [Your Name]", "placeholder"},
        {"Dear [Customer Name], pay.", "placeholder"},
        {"Dear {{ customer_name }}, pay.", "placeholder"},
        {"Dear John, see [1] and [a].", ""},
        {"Pay at https://pay.example.com/now?x=1", ""},
        {"Pay at https://evil.example/now", "foreign_link"},
        {"Pay at www.evil.example.", "foreign_link"},
    };
    for (const auto& c : cases) EXPECT_EQ(codes(std::string(c.text)), c.want) << c.text;
}

TEST(Warnings, TellWhenTheHtmlSaysSomethingElse) {
    const std::string text = "Dear John,\n\nplease pay $1,500.00 until Friday. Thank you.";
    EXPECT_EQ(codes(text, html_of(text, "Innovate AI")), "");
    EXPECT_EQ(codes(text,
                    "<p>Dear John,</p><p>please pay <b>$1,500.00</b> until Friday.</p>"
                    "<p>Thank you.</p>"),
              "");
    EXPECT_EQ(codes(text, "<p>Dear John, please pay $1,000.00 until Friday. Thank you.</p>"),
              "html_differs");
    EXPECT_EQ(codes(text, "<p>You have won! Click here and tell nobody.</p>"), "html_differs");
    EXPECT_EQ(codes(text, "<p></p>"), "html_differs");
    EXPECT_EQ(codes(text, html_of(text, "") + "<a href=\"https://evil.example/7\">pay</a>"),
              "foreign_link html_differs");
}

TEST(Warnings, EachThingIsToldOnceAndThreeOfAKindAtMost) {
    const KnownFacts facts{
        .operators_text = "", .signature = "", .foreign_amounts = {"$9", "$8", "$7", "$9", "$6"}};
    const auto found = warnings_about({"a", "b", "<p>b</p>"}, facts);
    ASSERT_EQ(found.size(), 3u);
    for (const auto& warning : found) EXPECT_EQ(warning.code, "foreign_amount");
    EXPECT_EQ(found[0].message, "$6 is no amount that this customer owes");
}

}  // namespace
}  // namespace mailroom::writing
