// A directory that is gone at the end of the scope. For tests.
#pragma once

#include <cassert>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace mailroom {

class ScratchDirectory {
public:
    ScratchDirectory() {
        auto name = (std::filesystem::temp_directory_path() / "mailroom-test-XXXXXX").string();
        const char* made = ::mkdtemp(name.data());
        assert(made != nullptr);
        path_ = made;
    }
    ~ScratchDirectory() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    ScratchDirectory(const ScratchDirectory&) = delete;
    ScratchDirectory& operator=(const ScratchDirectory&) = delete;

    const std::filesystem::path& path() const { return path_; }
    std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

private:
    std::filesystem::path path_;
};

}  // namespace mailroom
