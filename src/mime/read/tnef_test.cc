#include "mime/read/tnef.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace mailroom::mime {
namespace {

std::string little_endian(std::uint32_t value, std::size_t width) {
    std::string bytes;
    for (std::size_t i = 0; i < width; ++i) bytes += static_cast<char>(value >> (8 * i));
    return bytes;
}

std::string attribute(std::uint32_t id, const std::string& data) {
    return std::string(1, '\1') + little_endian(id, 4) +
           little_endian(static_cast<std::uint32_t>(data.size()), 4) + data + "xx";
}

std::string text_property(std::uint32_t id, const std::string& text) {
    constexpr std::uint32_t text8 = 0x001e;
    const auto padding = std::string((4 - text.size() % 4) % 4, '\0');
    return little_endian(text8, 2) + little_endian(id, 2) + little_endian(1, 4) +
           little_endian(static_cast<std::uint32_t>(text.size()), 4) + text + padding;
}

const std::string beginning = little_endian(0x223e9f78, 4) + "kk";

TEST(Tnef, GivesAttachmentsAndText) {
    const auto properties = little_endian(3, 4) + text_property(0x370e, "Text/CSV") +
                            text_property(0x3707, "long name.csv") + text_property(0x3712, "id@x");
    const auto bytes = beginning + attribute(0x00069007, little_endian(1252, 4)) +
                       attribute(0x0002800c, std::string("Gr\xfc\xdf"
                                                         "e\0",
                                                         6)) +
                       attribute(0x00069002, "") + attribute(0x00018010, "LONGNA~1.CSV") +
                       attribute(0x0006800f, "a;b") + attribute(0x00069005, properties);
    const auto tnef = read_tnef(bytes);
    ASSERT_TRUE(tnef);
    EXPECT_FALSE(tnef->is_broken);
    EXPECT_EQ(tnef->text, "Grüße");
    ASSERT_EQ(tnef->attachments.size(), 1u);
    EXPECT_EQ(tnef->attachments[0].name, "long name.csv");
    EXPECT_EQ(tnef->attachments[0].media_type, "text/csv");
    EXPECT_EQ(tnef->attachments[0].content_id, "id@x");
    EXPECT_EQ(tnef->attachments[0].content, "a;b");
}

std::string object_property(const std::string& value) {
    constexpr std::uint32_t object = 0x000d, attach_data = 0x3701;
    const auto padding = std::string((4 - value.size() % 4) % 4, '\0');
    return little_endian(object, 2) + little_endian(attach_data, 2) + little_endian(1, 4) +
           little_endian(static_cast<std::uint32_t>(value.size()), 4) + value + padding;
}

TEST(Tnef, AnObjectOfAnotherProgramComesOutWithItsBytes) {
    const std::string storage = std::string("\x0b", 1) + std::string(15, 'i');
    const auto properties = little_endian(2, 4) + text_property(0x3707, "Sheet 1") +
                            object_property(storage + "compound document");
    const auto bytes = beginning + attribute(0x00069002, "") + attribute(0x00069005, properties);
    const auto tnef = read_tnef(bytes);  // Views of `bytes`.
    ASSERT_TRUE(tnef && tnef->attachments.size() == 1);
    EXPECT_FALSE(tnef->is_broken);
    EXPECT_EQ(tnef->attachments[0].content, "compound document");
    EXPECT_EQ(tnef->attachments[0].name, "Sheet 1");
    EXPECT_EQ(tnef->attachments[0].media_type, "application/x-ole-storage");
}

TEST(Tnef, AnAttachmentWithoutContentIsReported) {
    const auto name = little_endian(1, 4) + text_property(0x3707, "name.csv");
    const auto begun = beginning + attribute(0x00069002, "") + attribute(0x00069005, name);
    EXPECT_TRUE(read_tnef(begun)->is_broken);
    EXPECT_FALSE(read_tnef(begun + attribute(0x0006800f, ""))->is_broken) << "an empty file";
}

TEST(Tnef, AnObjectWithoutBytesIsReported) {
    const auto object =
        beginning + attribute(0x00069002, little_endian(2, 2) + std::string(12, '\0'));
    const auto file =
        beginning + attribute(0x00069002, little_endian(1, 2) + std::string(12, '\0'));
    const auto no_bytes = attribute(0x0006800f, "");
    EXPECT_TRUE(read_tnef(object + no_bytes)->is_broken);
    EXPECT_FALSE(read_tnef(object + attribute(0x0006800f, "x"))->is_broken);
    EXPECT_FALSE(read_tnef(file + no_bytes)->is_broken);
}

TEST(Tnef, CutAnywhereItIsReadAsFarAsItGoes) {
    const auto properties = little_endian(1, 4) + text_property(0x3707, "name.csv");
    const auto bytes = beginning + attribute(0x00069002, "") + attribute(0x0006800f, "a;b") +
                       attribute(0x00069005, properties);
    for (std::size_t cut = 0; cut < bytes.size(); ++cut) {
        SCOPED_TRACE(cut);
        const auto tnef = read_tnef(std::string_view(bytes).substr(0, cut));
        EXPECT_EQ(tnef.has_value(), cut >= 4);
        EXPECT_TRUE(!tnef || tnef->attachments.size() <= 1);
    }
}

TEST(Tnef, RefusesWhatIsNot) {
    EXPECT_FALSE(read_tnef(""));
    EXPECT_FALSE(read_tnef("%PDF-1.4 and more"));
}

TEST(Tnef, LiesAboutLengthsAndCountsAreNotBelieved) {
    const auto huge = little_endian(0xffffffff, 4);
    EXPECT_TRUE(read_tnef(beginning + '\1' + little_endian(0x0006800f, 4) + huge)->is_broken);
    EXPECT_TRUE(read_tnef(beginning + attribute(0x00069005, huge))->is_broken);
    const auto endless =
        little_endian(1, 4) + little_endian(0x001e, 2) + little_endian(1, 2) + huge;
    EXPECT_TRUE(read_tnef(beginning + attribute(0x00069005, endless))->is_broken);
}

}  // namespace
}  // namespace mailroom::mime
