#include "kv/rocks_checksum.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>

// As RocksDB's own files call it: by way of the linker it is ours.
namespace rocksdb::crc32c {
std::uint32_t Extend(std::uint32_t checksum, const char* bytes, std::size_t count);
}

namespace mailroom::kv {

namespace {

std::string any_bytes(std::size_t count) {
    std::mt19937_64 chance(count);
    std::string bytes(count, '\0');
    for (auto& byte : bytes) byte = static_cast<char>(chance());
    return bytes;
}

TEST(RocksChecksum, IsThatOfTheStandard) {
    constexpr std::string_view digits = "123456789";
    EXPECT_EQ(rocks_checksum(0, digits.data(), digits.size()), 0xe3069283);
    const std::string zeros(32, '\0');  // RFC 3720, B.4.
    EXPECT_EQ(rocks_checksum(0, zeros.data(), zeros.size()), 0x8a9136aa);
}

TEST(RocksChecksum, OfAnyBytesAnywhereIsWhatRocksdbItselfComputes) {
    const auto bytes = any_bytes(512);
    for (std::size_t from = 0; from < 17; ++from) {
        for (std::size_t count = 0; count <= bytes.size() - from; ++count) {
            const auto before = static_cast<std::uint32_t>(count * 0x9e3779b9);
            ASSERT_EQ(rocks_checksum(before, bytes.data() + from, count),
                      rocks_own_checksum(before, bytes.data() + from, count))
                << from << " " << count;
        }
    }
}

TEST(RocksChecksum, OfTwoPiecesIsThatOfTheWhole) {
    const auto bytes = any_bytes(300);
    const auto whole = rocks_checksum(0, bytes.data(), bytes.size());
    for (std::size_t first = 0; first <= bytes.size(); ++first) {
        const auto of_first = rocks_checksum(0, bytes.data(), first);
        ASSERT_EQ(rocks_checksum(of_first, bytes.data() + first, bytes.size() - first), whole);
    }
}

TEST(RocksChecksum, IsWhatRocksdbCalls) {
    using Function = std::uint32_t (*)(std::uint32_t, const char*, std::size_t);
    EXPECT_EQ(static_cast<Function>(&rocksdb::crc32c::Extend),
              static_cast<Function>(&rocks_checksum));
}

}  // namespace

}  // namespace mailroom::kv
