#include "reminders/letter.h"

#include <gtest/gtest.h>

namespace mailroom::reminders {
namespace {

TEST(Letter, WhatCannotBeSentIsRefused) {
    struct Case {
        std::string_view name;
        Letter letter;
        std::string_view field;  // Empty: it is fine.
    };
    const Case cases[] = {
        {"fine", {"Hello", "Text", "<p>Text</p>"}, ""},
        {"no subject", {" ", "Text", ""}, "email_subject"},
        {"a header in the subject", {"Hello\r\nBcc: eve@example.com", "Text", ""}, "email_subject"},
        {"a long subject", {std::string(201, 'x'), "Text", ""}, "email_subject"},
        {"no text", {"Hello", "\n", ""}, "email_content"},
        {"a long text", {"Hello", std::string(64 * 1024 + 1, 'x'), ""}, "email_content"},
        {"no UTF-8", {"Hello", "\xff", ""}, "email_content"},
    };
    for (const auto& c : cases) {
        const auto checked = check_letter(c.letter);
        EXPECT_EQ(checked ? "" : checked.error().fields.at(0).field, c.field) << c.name;
    }
}

}  // namespace
}  // namespace mailroom::reminders
