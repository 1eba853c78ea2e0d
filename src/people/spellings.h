// Under which other spellings of an address somebody has written rows that nobody has looked at
// yet: whoever asks whether a mail may go there asks those, too.
#pragma once

#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>

namespace mailroom::people {

// Thread-safe.
class Spellings {
public:
    void add(std::string_view canonical, std::string_view spelled);
    void forget(std::string_view canonical, std::string_view spelled);
    void forget_all();
    std::set<std::string> of(std::string_view canonical) const;

private:
    mutable std::mutex mutex_;
    std::map<std::string, std::set<std::string>, std::less<>> all_;
};

}  // namespace mailroom::people
