#include "mime/html/references.h"

#include <gtest/gtest.h>

namespace mailroom::mime {
namespace {

TEST(ReferencesInHtml, LinksAndImagesAreToldWithTheirPlaces) {
    const std::string_view html =
        "<p><a href=\" https://a.example/?x=1&amp;y=2 \">a</a>\n<img src=\"cid:logo\" width=10 "
        "height=20><area href='u'><a name=x><img alt=y>";
    const auto [links, images] = references_in(html);
    ASSERT_EQ(links.size(), 2U);
    EXPECT_EQ(links[0].address, "https://a.example/?x=1&y=2");
    EXPECT_EQ(links[0].offset, 3U);
    EXPECT_EQ(links[1].address, "u");
    ASSERT_EQ(images.size(), 2U);
    EXPECT_EQ(images[0].address, "cid:logo");
    EXPECT_EQ(html.substr(images[0].offset, 4), "<img");
    EXPECT_TRUE(images[0].has_size);
    EXPECT_EQ(images[1].address, "");
}

TEST(ReferencesInHtml, ASizeIsWidthAndHeightByAttributesOrStyle) {
    struct Case {
        const char* tag;
        bool want;
    };
    const Case cases[] = {{"<img width=1 height=2>", true},
                          {"<img width=1>", false},
                          {"<img height=1>", false},
                          {"<img style='width:1px; HEIGHT: 2px'>", true},
                          {"<img style='max-width:1px;height:2px'>", false},
                          {"<img width=1 style='height:auto'>", true},
                          {"<img>", false}};
    for (const auto& [tag, want] : cases) {
        const auto images = references_in(tag).images;
        ASSERT_EQ(images.size(), 1U) << tag;
        EXPECT_EQ(images[0].has_size, want) << tag;
    }
}

TEST(ReferencesInHtml, WhatIsNoMarkupOrIsCommentedOutIsLeftOut) {
    for (const auto* html : {"<!-- <a href=u><img src=v> -->", "<script>'<a href=u>'</script>",
                             "<style><img src=v></style>", "<textarea><a href=u></textarea>",
                             "<a href=u", "<a>", "<link href=u>"}) {
        const auto [links, images] = references_in(html);
        EXPECT_TRUE(links.empty()) << html;
        EXPECT_TRUE(images.empty()) << html;
    }
}

}  // namespace
}  // namespace mailroom::mime
