#include "people/canonical.h"

#include "base/random.h"
#include "base/text.h"
#include "mime/address.h"

#include <gtest/gtest.h>

namespace mailroom::people {
namespace {

// What canonical_of() must say of it; "" of what is no address.
std::string by_the_book(std::string_view address) {
    const auto mailbox = mime::parse_address(trim(address));
    return mailbox ? mime::canonical(*mailbox) : "";
}

std::string canonical(std::string_view address) {
    const auto text = canonical_of(address);
    return text ? *text : "";
}

TEST(Canonical, OneTextForAllWaysToWriteAnAddress) {
    struct Case {
        const char* address;
        const char* want;
    };
    const Case cases[] = {
        {"ann@example.com", "ann@example.com"},
        {" Ann.B+c_d-e@EXAMPLE.Com\t", "ann.b+c_d-e@example.com"},
        {"Ann <ANN@example.com>", "ann@example.com"},
        {"\"ann\"@example.com", "ann@example.com"},
        {"ann@b\xc3\xbc"
         "cher.example",
         "ann@xn--bcher-kva.example"},
        {"ann@XN--BCHER-KVA.example", "ann@xn--bcher-kva.example"},
        {"ann@[192.0.2.1]", "ann@[192.0.2.1]"},
        {"a..b@example.com", ""},
        {".a@example.com", ""},
        {"a.@example.com", ""},
        {"a@-example.com", ""},
        {"a@b@example.com", ""},
        {"@example.com", ""},
        {"ann", ""},
        {"", ""},
    };
    for (const auto& c : cases) {
        EXPECT_EQ(canonical(c.address), c.want) << c.address;
        EXPECT_EQ(by_the_book(c.address), c.want) << c.address;
    }
    EXPECT_EQ(canonical_of("ann").error().code, Errc::invalid);
}

TEST(Canonical, TheShortWayAgreesWithTheLongOne) {
    SeededRandom random(7);
    constexpr std::string_view letters = "abAB09.-_+@ \"<xn--";
    for (int i = 0; i < 30'000; ++i) {
        std::string address;
        const auto length = 1 + random_up_to(random, 11);
        for (std::uint64_t j = 0; j < length; ++j)
            address += letters[random_up_to(random, letters.size() - 1)];
        if (i % 2 == 0) address += "@ex" + address.substr(0, 3) + ".com";
        ASSERT_EQ(canonical(address), by_the_book(address)) << address;
    }
    for (const std::size_t size : {62, 63, 64, 65, 66}) {
        const std::string part(size, 'a');
        const std::string domain = part.substr(1) + "." + part.substr(1);
        for (const auto& address : {part + "@example.com", "a@" + part + ".com", "a@x." + part,
                                    "a@" + domain + "." + domain, part + "@" + domain}) {
            EXPECT_EQ(canonical(address), by_the_book(address)) << address;
        }
    }
}

}  // namespace
}  // namespace mailroom::people
