#include "mime/read/describe.h"

#include <gtest/gtest.h>

namespace mailroom::mime {
namespace {

dkim::Verdict signature_that_passes() {
    dkim::Verdict verdict;
    verdict.outcome = dkim::Verdict::Outcome::pass;
    verdict.domain = "example.com";
    verdict.selector = "s1";
    return verdict;
}

TEST(Describe, WritesEverythingThatWasUnderstood) {
    const std::string bytes =
        "From: Ann \"A\" Lee <ann@example.com>\r\nSubject: Re: A \\ \"quote\"\r\n"
        "Date: Sun, 15 Nov 2026 10:00:00 +0000\r\nMessage-ID: <m@example.com>\r\n\r\nTab\there\r\n";
    const auto json = describe(parse(bytes), std::vector{signature_that_passes()});
    for (const auto* want : {
             R"("address": "ann@example.com")",
             R"("sender": null)",
             R"("to": [])",
             R"("subject": "Re: A \\ \"quote\"")",
             R"("clean_subject": "A \\ \"quote\"")",
             R"("date": "2026-11-15T10:00:00Z")",
             R"("received": null)",
             R"("message_id": "m@example.com")",
             R"("is_reply": false)",
             R"("text": "Tab\there\n")",
             R"("text_source": "plain")",
             R"("html": null)",
             R"("new_content": "Tab\there")",
             R"("is_automated": false)",
             R"("report": null)",
             R"("result": "pass")",
             R"("domain": "example.com")",
             R"("selector": "s1")",
             R"("reason": null)",
             R"("algorithm": "rsa-sha256")",
             R"("body_has_unsigned_end": false)",
             R"("defects": [])",
         }) {
        EXPECT_NE(json.find(want), std::string::npos) << want << "\nin\n" << json;
    }
}

TEST(Describe, ASenderWithoutADomainIsShownAndMarked) {
    const std::string_view bytes = "From: root\n\nx";
    const auto json = describe(parse(bytes));
    for (const auto* want : {R"("address": "root")", R"("domain": null)", R"("no-address")"}) {
        EXPECT_NE(json.find(want), std::string::npos) << want << "\nin\n" << json;
    }
}

TEST(Describe, SaysNullWhenSignaturesWereNotLookedAt) {
    const std::string_view bytes = "From: ann@example.com\n\nx";
    EXPECT_NE(describe(parse(bytes)).find(R"("dkim": null)"), std::string::npos);
}

}  // namespace
}  // namespace mailroom::mime
