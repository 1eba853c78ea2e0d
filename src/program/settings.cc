#include "program/settings.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace mailroom::program {

namespace {

std::string upper(std::string_view text) {
    std::string result(text);
    std::ranges::transform(result, result.begin(), [](char c) {
        return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    });
    return result;
}

}  // namespace

std::string Setting::path() const { return std::string(section) + "." + std::string(key); }

std::string Setting::environment() const { return "MAILROOM_" + upper(section) + "_" + upper(key); }

void Settings::add(Setting setting) {
    assert(std::ranges::find(all_, setting.path(), &Setting::path) == all_.end());
    const auto last =
        std::ranges::find(all_.rbegin(), all_.rend(), setting.section, &Setting::section);
    all_.insert(last == all_.rend() ? all_.end() : last.base(), std::move(setting));
}

}  // namespace mailroom::program
