#include "app/data_backup.h"

#include "app/checksums.h"
#include "app/data_directory.h"
#include "app/open_tables.h"
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
    fs::create_directories(fs::absolute(to).parent_path(), error);
    if (!error) fs::copy(from, to, fs::copy_options::recursive, error);
    if (error) return failed("cannot copy to", to, error);
    fs::permissions(to, fs::perms::owner_all, error);
    if (error) return failed("cannot make", to, error);
    return Ok{};
}

// What was copied is what was backed up. Copies that other programs made have no checksums: all
// that is in their tables is read instead.
Result<> check_copy(const fs::path& data) {
    TRY(has_checksums(data) ? check_checksums(data) : kv::verify_rocks(data / "tables"));
    const auto directory = TRY(DataDirectory::open(data));
    TRY(open_tables(directory));
    return Ok{};
}

}  // namespace

Result<> back_up_data(const kv::Store& rows, const fs::path& target) {
    TRY(check_absent(target));
    return make_whole(target, [&](const fs::path& partial) -> Result<> {
        const auto copy = TRY(DataDirectory::open(partial));
        TRY(kv::rocks_checkpoint(rows, copy.tables()));
        TRY(copy.mark_used());
        // The files may be those that the server uses, under another name, and damaged with them.
        TRY(kv::verify_rocks(copy.tables()));
        return write_checksums(partial);
    });
}

Result<> restore_data(const fs::path& backup, const fs::path& target) {
    std::error_code error;
    if (!fs::exists(backup / "FORMAT", error) ||
        !fs::exists(backup / "tables" / "CURRENT", error)) {
        return Error{Errc::invalid, backup.string() + " is not a backup of mailroom"};
    }
    // Nobody writes to it while it is copied.
    const auto source = TRY(DataDirectory::open(backup));
    if (fs::is_directory(target, error) && fs::is_empty(target, error)) fs::remove(target, error);
    TRY(check_absent(target));
    auto restored = make_whole(target, [&](const fs::path& partial) -> Result<> {
        TRY(copy_directory(backup, partial));
        return check_copy(partial);
    });
    if (restored || restored.error().code != Errc::corrupt) return restored;
    return Error{Errc::corrupt,
                 "the backup " + backup.string() + " is not restored: " + restored.error().message};
}

Result<> move_directory(const fs::path& from, const fs::path& to) {
    TRY(check_absent(to));
    std::error_code error;
    fs::create_directories(fs::absolute(to).parent_path(), error);
    fs::rename(from, to, error);
    if (!error) return Ok{};
    if (error != std::errc::cross_device_link) return failed("cannot move to", to, error);
    const auto copied = make_whole(to, [&](const fs::path& partial) -> Result<> {
        TRY(copy_directory(from, partial));
        if (has_checksums(partial)) TRY(check_checksums(partial));
        return Ok{};
    });
    if (!copied) return copied;
    fs::remove_all(from, error);
    return Ok{};
}

}  // namespace mailroom::app
