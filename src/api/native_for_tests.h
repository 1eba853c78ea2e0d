// What tests of the native API share.
#pragma once

#include "api/native_in_memory.h"

#include <gtest/gtest.h>

namespace mailroom::api {

class NativeTest : public testing::Test, protected NativeInMemory {
protected:
    void SetUp() override { open({}); }
};

}  // namespace mailroom::api
