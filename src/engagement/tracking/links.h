// The addresses that people and their programs reach us by.
#pragma once

#include "engagement/tracking/tokens.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace mailroom::engagement {

// Immutable; thread-safe.
class Links {
public:
    // `base` as in TrackingSettings; `tokens` must outlive this object.
    Links(std::string base, const Tokens& tokens) : base_(std::move(base)), tokens_(tokens) {}

    bool has_base() const { return !base_.empty(); }
    const std::string& base() const { return base_; }
    bool is_ours(std::string_view address) const;

    // None for what a token cannot hold.
    std::optional<std::string> open(const std::string& mail_id) const;
    std::optional<std::string> click(ClickToken click) const;
    std::optional<std::string> unsubscribe(const PersonToken& person) const;
    std::optional<std::string> preferences(const PersonToken& person) const;
    // Where somebody confirms what they asked for: see people/consent/confirmations.h.
    std::string confirm(std::string_view token) const;

private:
    std::optional<std::string> at(std::string_view path, const Token& token) const;

    const std::string base_;
    const Tokens& tokens_;
};

}  // namespace mailroom::engagement
