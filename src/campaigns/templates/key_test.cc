#include "campaigns/templates/key.h"

#include <gtest/gtest.h>

namespace mailroom::campaigns {
namespace {

TEST(TemplateKey, WordsWithSlashesBetweenThemAreKeys) {
    for (const auto* key : {"welcome", "onboarding/welcome", "a/b/c/d.e_f-1", "versions/a",
                            "preview/check/x", "display-names", "A"}) {
        EXPECT_EQ(key_fault(key), std::nullopt) << key;
    }
    EXPECT_EQ(key_fault(std::string(200, 'a')), std::nullopt);
}

TEST(TemplateKey, WhatPathsCannotHoldIsNone) {
    for (const auto& key :
         {std::string(), std::string(201, 'a'), std::string("/a"), std::string("a/"),
          std::string("a//b"), std::string("a b"), std::string("a#b"), std::string("ä"),
          std::string("."), std::string("a/.."), std::string("../a"), std::string("a/./b"),
          std::string("a\0b", 3)}) {
        EXPECT_NE(key_fault(key), std::nullopt) << key;
    }
    for (const auto* key : {"versions", "a/versions", "a/preview", "check"}) {
        EXPECT_NE(key_fault(key).value_or("").find("must not end with the word"), std::string::npos)
            << key;
    }
}

}  // namespace
}  // namespace mailroom::campaigns
