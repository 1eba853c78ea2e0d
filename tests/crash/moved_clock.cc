// A clock that tests move under a server that knows nothing of it: preload this library
// (LD_PRELOAD), and the time of day is the system's plus the milliseconds, an int64, that the file
// named by MOVED_CLOCK holds just then. What measures durations goes on as ever. The server itself
// has no such setting: who may preload into a process may do all that it may.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <ctime>

namespace {

constexpr std::int64_t ms_per_second = 1'000;
constexpr std::int64_t ns_per_ms = 1'000'000;
constexpr std::int64_t ns_per_second = ms_per_second * ns_per_ms;

const volatile std::int64_t* map_offset() {
    const char* path = std::getenv("MOVED_CLOCK");
    if (!path) return nullptr;
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) std::abort();
    void* mapped = mmap(nullptr, sizeof(std::int64_t), PROT_READ, MAP_SHARED, file, 0);
    close(file);
    if (mapped == MAP_FAILED) std::abort();
    return static_cast<const volatile std::int64_t*>(mapped);
}

std::int64_t offset_ms() {
    static const auto* const offset = map_offset();
    return offset ? *offset : 0;
}

// Past the functions below.
int ask_kernel(clockid_t clock, timespec* time) {
    return static_cast<int>(syscall(SYS_clock_gettime, clock, time));
}

}  // namespace

extern "C" {

int clock_gettime(clockid_t clock, timespec* time) noexcept {
    const int failed = ask_kernel(clock, time);
    if (failed != 0 || (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE)) return failed;
    const auto moved = time->tv_sec * ns_per_second + time->tv_nsec + offset_ms() * ns_per_ms;
    time->tv_sec = moved / ns_per_second;
    time->tv_nsec = moved % ns_per_second;
    return 0;
}

int gettimeofday(timeval* __restrict time, void* __restrict) noexcept {
    timespec now;
    if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
    time->tv_sec = now.tv_sec;
    time->tv_usec = now.tv_nsec / 1'000;
    return 0;
}

time_t time(time_t* result) noexcept {
    timespec now;
    if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
    if (result) *result = now.tv_sec;
    return now.tv_sec;
}
}
