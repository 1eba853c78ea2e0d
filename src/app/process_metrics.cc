#include "app/process_metrics.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <system_error>

namespace mailroom::app {

namespace {

// The second number of /proc/self/statm is resident pages, the first all of them.
double memory_bytes(int index) {
    std::ifstream file("/proc/self/statm");
    double pages = 0;
    for (int i = 0; i <= index; ++i) file >> pages;
    return file ? pages * static_cast<double>(::sysconf(_SC_PAGESIZE)) : 0;
}

double seconds(const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

double cpu_seconds() {
    rusage usage{};
    if (::getrusage(RUSAGE_SELF, &usage) != 0) return 0;
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double open_files() {
    std::error_code error;
    const std::filesystem::directory_iterator entries("/proc/self/fd", error);
    return error ? 0 : static_cast<double>(std::distance(begin(entries), end(entries)));
}

double open_files_max() {
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
    return static_cast<double>(limit.rlim_cur);
}

}  // namespace

void add_process_metrics(program::Metrics& metrics, const std::filesystem::path& data,
                         Time started) {
    metrics.gauge("mailroom_build_info", "1, with the version as label.",
                  {{"version", MAILROOM_VERSION}}, [] { return 1.0; });
    metrics.gauge("process_resident_memory_bytes", "Memory that is in use.", {},
                  [] { return memory_bytes(1); });
    metrics.gauge("process_virtual_memory_bytes", "Addresses that are in use.", {},
                  [] { return memory_bytes(0); });
    metrics.counter("process_cpu_seconds_total", "Time of processors.", {}, cpu_seconds);
    metrics.gauge("process_open_fds", "Open files and connections.", {}, open_files);
    metrics.gauge("process_max_fds", "How many there may be.", {}, open_files_max);
    const auto start = static_cast<double>(to_unix_ms(started)) / 1000;
    metrics.gauge("process_start_time_seconds", "When it was started, Unix time.", {},
                  [start] { return start; });
    const auto room = [data](std::uintmax_t std::filesystem::space_info::*what) {
        return [data, what] {
            std::error_code error;
            const auto space = std::filesystem::space(data, error);
            return error ? 0.0 : static_cast<double>(space.*what);
        };
    };
    metrics.gauge("mailroom_disk_free_bytes", "Room on the disk of the data.", {},
                  room(&std::filesystem::space_info::available));
    metrics.gauge("mailroom_disk_size_bytes", "Size of that disk.", {},
                  room(&std::filesystem::space_info::capacity));
}

}  // namespace mailroom::app
