#include "app/data_backup.h"

#include "app/data_directory.h"
#include "kv/rocks_store.h"

#include <unistd.h>

#include <string>
#include <system_error>

namespace mailroom::app {

namespace fs = std::filesystem;

namespace {

Error failed(const std::string& doing, const fs::path& path, const std::error_code& error) {
    return {Errc::unavailable, doing + " " + path.string() + ": " + error.message()};
}

// Where a directory grows until it is whole.
fs::path partial_name(const fs::path& target) {
    auto name = target;
    return name += ".partial";
}

Result<> check_absent(const fs::path& target) {
    std::error_code error;
    if (!fs::exists(fs::symlink_status(target, error))) return Ok{};
    return Error{Errc::conflict, target.string() + " is there already"};
}

// Removes what `make` left when it fails, and names the directory when it does not.
template <class Make>
Result<> make_whole(const fs::path& target, Make make) {
    const auto partial = partial_name(target);
    std::error_code error;
    fs::remove_all(partial, error);
    if (error) return failed("cannot remove", partial, error);
    Result<> made = make(partial);
    if (made) {
        ::sync();  // Its files before its name, and then its name, for a power cut.
        fs::rename(partial, target, error);
        if (error) made = failed("cannot make", target, error);
        ::sync();
    }
    if (!made) fs::remove_all(partial, error);
    return made;
}

Result<> copy_directory(const fs::path& from, const fs::path& to) {
    std::error_code error;
    fs::create_directories(to.parent_path(), error);
    if (!error) fs::copy(from, to, fs::copy_options::recursive, error);
    if (error) return failed("cannot copy to", to, error);
    fs::permissions(to, fs::perms::owner_all, error);
    if (error) return failed("cannot make", to, error);
    return Ok{};
}

Result<> check_opens(const fs::path& data) {
    const auto directory = TRY(DataDirectory::open(data));
    TRY(kv::open_rocks(directory.tables(), {}));
    return Ok{};
}

}  // namespace

Result<> back_up_data(const kv::Store& rows, const fs::path& target) {
    TRY(check_absent(target));
    return make_whole(target, [&](const fs::path& partial) -> Result<> {
        const auto copy = TRY(DataDirectory::open(partial));
        return kv::rocks_checkpoint(rows, copy.tables());
    });
}

Result<> restore_data(const fs::path& backup, const fs::path& target) {
    std::error_code error;
    // Without CURRENT the store below would take the tables for new ones.
    if (!fs::exists(backup / "FORMAT", error) ||
        !fs::exists(backup / "tables" / "CURRENT", error)) {
        return Error{Errc::invalid, backup.string() + " is not a backup of mailroom"};
    }
    // Nobody writes to it while it is copied.
    const auto source = TRY(DataDirectory::open(backup));
    if (fs::is_directory(target, error) && fs::is_empty(target, error)) fs::remove(target, error);
    TRY(check_absent(target));
    return make_whole(target, [&](const fs::path& partial) -> Result<> {
        TRY(copy_directory(backup, partial));
        return check_opens(partial);
    });
}

Result<> move_directory(const fs::path& from, const fs::path& to) {
    TRY(check_absent(to));
    std::error_code error;
    fs::create_directories(fs::absolute(to).parent_path(), error);
    fs::rename(from, to, error);
    if (!error) return Ok{};
    if (error != std::errc::cross_device_link) return failed("cannot move to", to, error);
    TRY(make_whole(to, [&](const fs::path& partial) { return copy_directory(from, partial); }));
    fs::remove_all(from, error);
    return Ok{};
}

}  // namespace mailroom::app
