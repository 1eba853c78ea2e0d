// A directory for one test, gone with it.
#pragma once

#include <stdlib.h>

#include <cassert>
#include <filesystem>
#include <string>
#include <system_error>

namespace mailroom::kv {

class ScratchDirectory {
public:
    ScratchDirectory() {
        auto name = (std::filesystem::temp_directory_path() / "mailroom-kv-XXXXXX").string();
        const auto* made = mkdtemp(name.data());
        assert(made);
        path_ = made;
    }
    ~ScratchDirectory() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    ScratchDirectory(const ScratchDirectory&) = delete;
    ScratchDirectory& operator=(const ScratchDirectory&) = delete;

    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

}  // namespace mailroom::kv
