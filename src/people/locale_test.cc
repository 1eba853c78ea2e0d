#include "people/locale.h"

#include <gtest/gtest.h>

namespace mailroom::people {
namespace {

TEST(Locale, ALanguageIsAShortTag) {
    for (const auto* good : {"de", "pt-BR", "zh-Hans-CN", "gsw", "es-419"}) {
        EXPECT_TRUE(is_language(good)) << good;
    }
    for (const auto* bad : {"", "d", "german", "de_DE", "de-", "-de", "de--AT", "de-abcdefghi",
                            "d\xC3\xA9", "de-AT-aaaaaaaa-bbbbbbbb-cccccccc-dddd"}) {
        EXPECT_FALSE(is_language(bad)) << bad;
    }
}

TEST(Locale, AZoneIsOneOfTheDatabase) {
    EXPECT_TRUE(is_time_zone("Europe/Berlin"));
    EXPECT_TRUE(is_time_zone("UTC"));
    for (const auto* bad : {"", "Mars/Olympus", "../../etc/passwd", "/etc/passwd", "Europe"}) {
        EXPECT_FALSE(is_time_zone(bad)) << bad;
    }
}

}  // namespace
}  // namespace mailroom::people
