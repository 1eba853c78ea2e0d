// Letters that were made a moment ago: whoever sends many mails has the same one each time.
#pragma once

#include "campaigns/templates/letter.h"
#include "campaigns/templates/templates.h"

#include <cstddef>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace mailroom::campaigns {

// By what they are made of; the longest unused go first. Thread-safe.
class Press {
public:
    static constexpr std::size_t letters_max = 256;
    // Of their texts and files together: what texts are compiled to is several times as large.
    static constexpr std::size_t bytes_max = 64 * 1024 * 1024;

    // Both must outlive this object and its letters.
    Press(const Templates& templates, const Clock& clock) : templates_(templates), clock_(clock) {}

    // Good as long as it is held, also when it is kept here no more.
    using Held = std::shared_ptr<const Letter>;
    Answer<Held> letter(const Edition& edition);

    std::size_t size() const;

private:
    using Entries = std::list<std::pair<std::string, Held>>;

    Held kept(const std::string& name);
    Answer<Held> made(const Edition& edition) const;
    void keep(const std::string& name, const Held& letter);

    const Templates& templates_;
    const Clock& clock_;
    const liquid::TimeZones time_zones_;
    mutable std::mutex mutex_;
    Entries entries_;  // The last used first.
    std::map<std::string, Entries::iterator, std::less<>> by_name_;
    std::size_t bytes_ = 0;
};

}  // namespace mailroom::campaigns
