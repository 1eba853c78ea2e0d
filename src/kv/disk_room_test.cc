#include "kv/disk_room.h"

#include "base/scratch_directory.h"

#include <gtest/gtest.h>

#include <limits>

namespace mailroom::kv {
namespace {

TEST(DiskRoom, IsMeasuredOnTheFileSystemOfTheDirectory) {
    const ScratchDirectory directory;
    EXPECT_TRUE(DiskRoom(directory.path(), 1).check());
    const auto full = DiskRoom(directory.path(), std::numeric_limits<std::uint64_t>::max()).check();
    ASSERT_FALSE(full);
    EXPECT_EQ(full.error().code, Errc::unavailable);
    EXPECT_TRUE(full.error().message.starts_with("the disk is full: ")) << full.error().message;
}

TEST(DiskRoom, AFileSystemThatCannotBeAskedHasRoom) {
    EXPECT_TRUE(DiskRoom("/nonexistent", 1).check());
}

}  // namespace
}  // namespace mailroom::kv
