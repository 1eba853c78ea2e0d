#include "mime/subject.h"

#include <gtest/gtest.h>

namespace mailroom::mime {

// clang-format off
TEST(Subject, CleaningTakesAwayPrefixesOnly) {
    struct Case {
        std::string_view input, want;
        bool is_reply = false, is_forward = false;
    };
    const Case cases[] = {
        {"Hello", "Hello"},
        {"RE:FW: re: Hello", "Hello", true, true},
        {"Fwd:   Re: Quote #12 ", "Quote #12", true, true},
        {"Re:", "", true},
        {" Re: Hello", "Hello", true},
        {"AW: Re[2]: Hello", "Hello", true},
        {"Re[2]: Hello", "Hello", true},
        {"Re(3): Hello", "Hello", true},
        {"Re^4: Hello", "Hello", true},
        {"Re*5: Hello", "Hello", true},
        {"Re [6] : Hello", "Hello", true},
        {"Re : Hello", "Hello", true},
        {"SV: Hello", "Hello", true},
        {"Antw: Hello", "Hello", true},
        {"Odp: Hello", "Hello", true},
        {"WG: Hello", "Hello", false, true},
        {"TR: Hello", "Hello", false, true},
        {"Rv: Hello", "Hello", false, true},
        {"fw:fwd:FWD: Hello", "Hello", false, true},
        {"回复：你好", "你好", true},
        {"Re：你好", "你好", true},
        {"转发: 你好", "你好", false, true},
        {"\xc2\xa0Re:\xc2\xa0Hello\xe3\x80\x80", "Hello", true},
        {"Re: Fwd", "Fwd", true},
        {"Re:Re", "Re", true},
        {"Regarding: Hello", "Regarding: Hello"},
        {"Reply: Hello", "Reply: Hello"},
        {"Ref: 12", "Ref: 12"},
        {"Re[x]: Hello", "Re[x]: Hello"},
        {"Re[]: Hello", "Re[]: Hello"},
        {"Re Hello", "Re Hello"},
        {"R: Hello", "R: Hello"},
        {"", ""},
        {" \t", ""},
    };
    // clang-format on
    for (const auto& c : cases) {
        SCOPED_TRACE(c.input);
        const auto got = clean_subject(c.input);
        EXPECT_EQ(got.text, c.want);
        EXPECT_EQ(got.is_reply, c.is_reply);
        EXPECT_EQ(got.is_forward, c.is_forward);
        EXPECT_EQ(clean_subject(got.text).text, got.text);
    }
}

}  // namespace mailroom::mime
