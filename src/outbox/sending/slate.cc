#include "outbox/sending/slate.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>

namespace mailroom::outbox {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view title = "mailroom ends 1\n";
constexpr std::size_t header_bytes = 64;  // Its last byte says whether all could be noted.
constexpr std::size_t slot_bytes = 16;
// Far more than there are connections.
constexpr std::size_t slots = 4096;
constexpr std::size_t file_bytes = header_bytes + slots * slot_bytes;
// Of processes that were killed: their mails are seen to at the next start, or the one after it.
constexpr std::size_t files_max = 64;
// When all are taken; nothing is written to it.
constexpr auto no_slot = std::numeric_limits<std::size_t>::max();

std::string header_of(const std::string& boot) {
    auto header = std::string(title) + boot + "\n";
    header.resize(header_bytes, ' ');
    header.back() = '+';
    return header;
}

void put_number(char* to, std::uint64_t number) {
    for (int i = 0; i < 8; ++i) to[i] = static_cast<char>(number >> (8 * i) & 0xff);
}

std::uint64_t get_number(const char* from) {
    std::uint64_t number = 0;
    for (int i = 7; i >= 0; --i) number = number << 8 | static_cast<unsigned char>(from[i]);
    return number;
}

// "node:number", as the schedule names its claims.
std::optional<std::pair<std::string_view, std::uint64_t>> read_lease(std::string_view lease) {
    const auto colon = lease.rfind(':');
    if (colon == lease.npos) return std::nullopt;
    std::uint64_t number = 0;
    const auto* end = lease.data() + lease.size();
    const auto [stop, problem] = std::from_chars(lease.data() + colon + 1, end, number);
    if (problem != std::errc() || stop != end) return std::nullopt;
    return std::pair(lease.substr(0, colon), number);
}

}  // namespace

std::string Slate::this_boot() {
    std::ifstream file("/proc/sys/kernel/random/boot_id");
    std::string boot;
    std::getline(file, boot);
    return boot;
}

Slate::Slate(fs::path file, int descriptor) : file_(std::move(file)), descriptor_(descriptor) {
    free_.reserve(slots);
    for (std::size_t i = slots; i > 0; --i) free_.push_back(i - 1);
}

Slate::~Slate() {
    if (memory_ != nullptr) ::munmap(memory_, file_bytes);
    ::close(descriptor_);
    std::error_code ignored;
    if (free_.size() == slots) fs::remove(file_, ignored);
}

Result<std::unique_ptr<Slate>> Slate::open(const fs::path& directory, const std::string& node,
                                           const std::string& boot) {
    const auto header = header_of(boot);
    const auto file = directory / node;
    std::error_code error;
    fs::create_directories(directory, error);
    const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (descriptor < 0) return Error{Errc::unavailable, file.string() + " cannot be made"};
    std::unique_ptr<Slate> slate(new Slate(file, descriptor));
    // With its room on the disk: what is noted later must not fail because that is full.
    const bool has_room = ::posix_fallocate(descriptor, 0, file_bytes) == 0;
    const bool is_written =
        ::pwrite(descriptor, header.data(), header_bytes, 0) == static_cast<ssize_t>(header_bytes);
    if (boot.empty() || !has_room || !is_written) {
        return Error{Errc::unavailable, file.string() + " cannot be used"};
    }
    // Writing to the file itself would wait for the file system's own log now and then.
    void* memory = ::mmap(nullptr, file_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (memory == MAP_FAILED) return Error{Errc::unavailable, file.string() + " cannot be mapped"};
    slate->memory_ = static_cast<char*>(memory);
    slate->read_earlier(directory, boot);
    return slate;
}

void Slate::read_earlier(const fs::path& directory, const std::string& boot) {
    std::vector<std::pair<fs::file_time_type, fs::path>> files;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(directory, error)) {
        if (entry.path() == file_) continue;
        files.emplace_back(entry.last_write_time(error), entry.path());
    }
    std::ranges::sort(files, std::greater());
    for (std::size_t i = 0; i < files.size(); ++i) {
        const auto& path = files[i].second;
        auto ends = i < files_max ? read(path, boot) : std::nullopt;
        if (ends) {
            earlier_[path.filename()] = *std::move(ends);
        } else {
            fs::remove(path, error);
        }
    }
}

std::optional<std::set<Slate::End>> Slate::read(const fs::path& file, const std::string& boot) {
    std::ifstream stream(file, std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(stream), {});
    if (!bytes.starts_with(header_of(boot))) return std::nullopt;
    std::set<End> ends;
    for (auto at = header_bytes; at + slot_bytes <= bytes.size(); at += slot_bytes) {
        const End end{get_number(&bytes[at]), get_number(&bytes[at + 8])};
        if (end.first != 0) ends.insert(end);
    }
    return ends;
}

void Slate::write(std::size_t slot, const End& end) const {
    std::array<char, slot_bytes> bytes{};
    put_number(bytes.data(), end.first);
    put_number(bytes.data() + 8, end.second);
    std::memcpy(memory_ + header_bytes + slot * slot_bytes, bytes.data(), slot_bytes);
    // The end leaves by a call of the system: the compiler may move nothing past it, and what the
    // processor still holds back is written also when the process is killed.
    std::atomic_signal_fence(std::memory_order_seq_cst);
}

std::optional<std::size_t> Slate::note(std::string_view lease, std::size_t place) {
    const auto claim = read_lease(lease);
    if (!claim) return std::nullopt;
    std::size_t slot = no_slot;
    {
        const std::lock_guard lock(mutex_);
        if (!free_.empty()) {
            slot = free_.back();
            free_.pop_back();
        }
    }
    if (slot == no_slot) {
        memory_[header_bytes - 1] = '-';
        return no_slot;
    }
    write(slot, {claim->second + 1, place});
    return slot;
}

void Slate::forget(std::size_t slot) {
    if (slot == no_slot) return;
    write(slot, {0, 0});
    const std::lock_guard lock(mutex_);
    free_.push_back(slot);
}

std::optional<bool> Slate::has_left(std::string_view lease, std::size_t place) const {
    const auto claim = read_lease(lease);
    if (!claim) return std::nullopt;
    const auto found = earlier_.find(claim->first);
    if (found == earlier_.end()) return std::nullopt;
    return found->second.contains({claim->second + 1, place});
}

}  // namespace mailroom::outbox
