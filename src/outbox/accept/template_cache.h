// Templates that were compiled a moment ago: programs send the same one with every mail.
#pragma once

#include "base/result.h"
#include "liquid/template.h"

#include <cstddef>
#include <list>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace mailroom::outbox {

// By their text; the longest unused go first. Thread-safe.
class TemplateCache {
public:
    static constexpr std::size_t templates_max = 256;
    // Of their texts together: what they are compiled to is several times as large.
    static constexpr std::size_t text_bytes_max = 4 * 1024 * 1024;

    // The failure of compiling is not kept.
    Result<liquid::Template, liquid::Failure> get(const std::string& text);

    std::size_t size() const;

private:
    using Entry = std::pair<std::string, liquid::Template>;
    using Entries = std::list<Entry>;

    void keep(const std::string& text, const liquid::Template& compiled);

    mutable std::mutex mutex_;
    Entries entries_;                                                  // The last used first.
    std::unordered_map<std::string_view, Entries::iterator> by_text_;  // Views of the entries.
    std::size_t text_bytes_ = 0;
};

}  // namespace mailroom::outbox
