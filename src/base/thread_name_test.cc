#include "base/thread_name.h"

#include <gtest/gtest.h>

#include <pthread.h>

#include <array>
#include <string>
#include <thread>

namespace mailroom {
namespace {

TEST(ThreadName, TheSystemKnowsIt) {
    std::array<char, 16> name{};
    std::thread([&] {
        name_thread("fifteen letters");
        ::pthread_getname_np(::pthread_self(), name.data(), name.size());
    }).join();
    EXPECT_EQ(std::string(name.data()), "fifteen letters");
}

}  // namespace
}  // namespace mailroom
