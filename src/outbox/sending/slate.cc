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
#include <limits>

namespace mailroom::outbox {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view title = "mailroom ends 2\n";
constexpr std::size_t header_bytes = 64;  // Its last byte says whether all could be noted.
constexpr std::size_t slot_bytes = 16;
// Far more than there are connections; a mail to a thousand takes as many.
constexpr std::size_t slots = 16384;
constexpr std::size_t file_bytes = header_bytes + slots * slot_bytes;
// Of processes that were killed: their mails are seen to at the next start, or the one after it.
constexpr std::size_t files_max = 64;
// When all are taken; nothing is written to it.
constexpr auto no_slot = std::numeric_limits<std::size_t>::max();

// How far an end came. The numbers are on the disk.
enum Step : std::uint8_t { free_slot = 0, meant = 1, left = 2, taken = 3, refused = 4 };

// Which of several notes tells about an end that was meant for one server after the other.
int weight_of(std::uint8_t step) {
    constexpr std::array<std::uint8_t, 4> lightest_first = {refused, meant, left, taken};
    return static_cast<int>(std::ranges::find(lightest_first, step) - lightest_first.begin());
}

std::string header_of(const std::string& boot) {
    auto header = std::string(title) + boot + "\n";
    header.resize(header_bytes, ' ');
    header.back() = '+';
    return header;
}

void put_number(char* to, std::uint64_t number, int bytes = 8) {
    for (int i = 0; i < bytes; ++i) to[i] = static_cast<char>(number >> (8 * i) & 0xff);
}

std::uint64_t get_number(const char* from, int bytes = 8) {
    std::uint64_t number = 0;
    for (int i = bytes - 1; i >= 0; --i) number = number << 8 | static_cast<unsigned char>(from[i]);
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

bool sync_directory(const fs::path& directory) {
    const int descriptor = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return false;
    const bool is_synced = ::fsync(descriptor) == 0;
    ::close(descriptor);
    return is_synced;
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
    sync_.reset();
    if (memory_ != nullptr) ::munmap(memory_, file_bytes);
    ::close(descriptor_);
    std::error_code ignored;
    if (free_.size() == slots) fs::remove(file_, ignored);
}

Result<std::unique_ptr<Slate>> Slate::open(const fs::path& directory, const std::string& node,
                                           const std::string& boot, SlateSync::Mode mode) {
    const auto file = directory / node;
    std::error_code error;
    fs::create_directories(directory, error);
    const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (descriptor < 0) return Error{Errc::unavailable, file.string() + " cannot be made"};
    std::unique_ptr<Slate> slate(new Slate(file, descriptor));
    if (boot.empty()) return Error{Errc::unavailable, "the system does not name its start"};
    TRY(slate->prepare(header_of(boot)));
    slate->read_earlier(directory, boot);
    slate->sync_.emplace(descriptor, mode);
    return slate;
}

// With its room on the disk: what is noted later must not fail because that is full, nor wait until
// the file system has entered it.
Result<> Slate::prepare(const std::string& header) {
    std::string bytes = header;
    bytes.resize(file_bytes);
    const bool is_written =
        ::pwrite(descriptor_, bytes.data(), file_bytes, 0) == static_cast<ssize_t>(file_bytes);
    if (!is_written || ::fsync(descriptor_) != 0 || !sync_directory(file_.parent_path())) {
        return Error{Errc::unavailable, file_.string() + " cannot be used"};
    }
    // Writing to the file itself would wait for the file system's own log now and then.
    void* memory = ::mmap(nullptr, file_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
    if (memory == MAP_FAILED) return Error{Errc::unavailable, file_.string() + " cannot be mapped"};
    memory_ = static_cast<char*>(memory);
    return Ok{};
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
        auto earlier = i < files_max ? read(path, boot) : std::nullopt;
        if (earlier) {
            earlier_[path.filename()] = *std::move(earlier);
        } else {
            fs::remove(path, error);
        }
    }
}

std::optional<Slate::Earlier> Slate::read(const fs::path& file, const std::string& boot) {
    std::ifstream stream(file, std::ios::binary);
    std::string bytes(file_bytes, '\0');
    stream.read(bytes.data(), file_bytes);
    if (stream.gcount() != file_bytes || !bytes.starts_with(title)) return std::nullopt;
    if (bytes[header_bytes - 1] != '+') return std::nullopt;
    Earlier earlier{bytes.starts_with(header_of(boot)), {}};
    // Nearly all slots are free: a start must not take longer for that.
    const auto next = [&](std::size_t from) { return bytes.find_first_not_of('\0', from); };
    for (auto used = next(header_bytes); used != bytes.npos;) {
        const auto at = used - (used - header_bytes) % slot_bytes;
        if (at + slot_bytes > bytes.size()) break;
        used = next(at + slot_bytes);
        const auto note = note_at(&bytes[at]);
        const auto [known, is_new] = earlier.notes.emplace(note.key, note);
        if (!is_new && weight_of(note.step) > weight_of(known->second.step)) known->second = note;
    }
    return earlier;
}

Slate::Note Slate::note_at(const char* bytes) {
    return {.key = {get_number(bytes), static_cast<std::uint32_t>(get_number(bytes + 8, 4))},
            .code = static_cast<std::uint16_t>(get_number(bytes + 12, 2)),
            .step = static_cast<std::uint8_t>(get_number(bytes + 14, 1))};
}

void Slate::write(Slot slot, const Note& note) const {
    std::array<char, slot_bytes> bytes{};
    put_number(bytes.data(), note.key.first);
    put_number(bytes.data() + 8, note.key.second, 4);
    put_number(bytes.data() + 12, note.code, 2);
    put_number(bytes.data() + 14, note.step, 1);
    std::memcpy(memory_ + header_bytes + slot * slot_bytes, bytes.data(), slot_bytes);
    // The end leaves by a call of the system: the compiler may move nothing past it, and what the
    // processor still holds back is written also when the process is killed.
    std::atomic_signal_fence(std::memory_order_seq_cst);
}

// Only who has the slot writes to it.
void Slate::step(Slot slot, std::uint8_t step, int code) const {
    auto note = note_at(memory_ + header_bytes + slot * slot_bytes);
    note.step = step;
    note.code = static_cast<std::uint16_t>(code);
    write(slot, note);
}

std::optional<std::vector<Slate::Slot>> Slate::take(std::size_t count) {
    const std::lock_guard lock(mutex_);
    if (free_.size() < count) return std::nullopt;
    const auto first = free_.end() - static_cast<std::ptrdiff_t>(count);
    std::vector<Slot> taken_slots(first, free_.end());
    free_.erase(first, free_.end());
    return taken_slots;
}

std::optional<std::vector<Slate::Slot>> Slate::mean(std::string_view lease,
                                                    std::span<const std::size_t> places) {
    const auto claim = read_lease(lease);
    if (!claim || sync_->has_failed()) return std::nullopt;
    auto mine = take(places.size());
    if (!mine) return std::nullopt;
    for (std::size_t i = 0; i < places.size(); ++i) {
        write((*mine)[i],
              {{claim->second + 1, static_cast<std::uint32_t>(places[i])}, 0, Step::meant});
    }
    return mine;
}

void Slate::make_durable(SlateSync::Done done) { sync_->ask(std::move(done)); }

void Slate::leave(std::span<const Slot> slots) const {
    for (const auto slot : slots) step(slot, Step::left, 0);
}

void Slate::answer(Slot slot, bool is_taken, int code) const {
    step(slot, is_taken ? Step::taken : Step::refused, code);
}

std::optional<Slate::Slot> Slate::note(std::string_view lease, std::size_t place) {
    const auto claim = read_lease(lease);
    if (!claim) return std::nullopt;
    const auto slot = take(1);
    if (!slot) {
        memory_[header_bytes - 1] = '-';
        return no_slot;
    }
    write(slot->front(), {{claim->second + 1, static_cast<std::uint32_t>(place)}, 0, Step::left});
    return slot->front();
}

void Slate::forget(Slot slot) {
    if (slot == no_slot) return;
    write(slot, {});
    const std::lock_guard lock(mutex_);
    free_.push_back(slot);
}

const Slate::Note* Slate::Earlier::find(std::uint64_t number, std::size_t place) const {
    const auto found = notes.find({number + 1, static_cast<std::uint32_t>(place)});
    return found == notes.end() ? nullptr : &found->second;
}

std::optional<Slate::End> Slate::end_of(std::string_view lease, std::size_t place) const {
    const auto claim = read_lease(lease);
    if (!claim) return std::nullopt;
    const auto found = earlier_.find(claim->first);
    if (found == earlier_.end()) return std::nullopt;
    const auto* note = found->second.find(claim->second, place);
    if (note == nullptr) return End{};
    switch (note->step) {
        case Step::meant:
            // Whether it left after that may not have reached the disk.
            return End{found->second.is_of_this_boot ? End::Fate::stayed
                                                     : End::Fate::may_have_left};
        case Step::taken:
            return End{End::Fate::taken, note->code};
        case Step::refused:
            return End{End::Fate::refused, note->code};
        default:
            return End{End::Fate::may_have_left};
    }
}

std::optional<bool> Slate::has_left(std::string_view lease, std::size_t place) const {
    const auto claim = read_lease(lease);
    if (!claim) return std::nullopt;
    const auto found = earlier_.find(claim->first);
    if (found == earlier_.end() || !found->second.is_of_this_boot) return std::nullopt;
    return found->second.find(claim->second, place) != nullptr;
}

}  // namespace mailroom::outbox
