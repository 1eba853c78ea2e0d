// The directory that holds everything, owned by one process at a time.
//
//   LOCK     held by flock() while a mailroom has the directory; its text is that process's id
//   FORMAT   "mailroom-data " version "\n"
//   NEW      empty; there until the tables have been made: those that are missing later are missed
//   tables/  the embedded tables
#pragma once

#include "base/result.h"

#include <filesystem>

namespace mailroom::app {

class DataDirectory {
public:
    enum class Absent { make, refuse };

    // Takes the directory, making it and its FORMAT when they are not there, unless they must be;
    // from then on it is its owner's alone (mode 0700), as what customers wrote lies in it.
    // `not_found` if it must be there and is not. `conflict` if another process has it. `invalid`
    // if it is something else than a data directory (not a directory, or full of other files) or
    // was written by a newer version. `unavailable` if the system refuses.
    static Result<DataDirectory> open(const std::filesystem::path& path,
                                      Absent absent = Absent::make);

    DataDirectory(DataDirectory&& other) noexcept;
    DataDirectory& operator=(DataDirectory&&) = delete;
    ~DataDirectory();  // Lets go of the lock.

    // True until mark_used(): its tables may not be there yet. Else they must be.
    bool is_new() const;
    // The tables are there. On disk when this returns.
    Result<> mark_used() const;

    const std::filesystem::path& path() const { return path_; }
    std::filesystem::path tables() const { return path_ / "tables"; }

private:
    DataDirectory(std::filesystem::path path, int lock) : path_(std::move(path)), lock_(lock) {}

    std::filesystem::path path_;
    int lock_;  // An open file, or -1 after a move.
};

}  // namespace mailroom::app
