#include "base/thread_name.h"

#include <pthread.h>

#include <cassert>
#include <cstring>

namespace mailroom {

void name_thread(const char* name) {
    constexpr std::size_t name_chars_max = 15;
    assert(std::strlen(name) <= name_chars_max);
    // A thread without a name works as well.
    static_cast<void>(::pthread_setname_np(::pthread_self(), name));
}

}  // namespace mailroom
