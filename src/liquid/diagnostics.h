// Collects the first thing that is wrong with a template while it is compiled.
#pragma once

#include "liquid/failure.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace mailroom::liquid {

class Diagnostics {
public:
    // `source` must outlive this object.
    explicit Diagnostics(std::string_view source) : source_(source) {}

    // `text` should be a piece of the source. A piece of another text (the name of a partial that
    // is a template of its own) is reported at the place last set by `set_place`.
    void report(std::string message, std::string_view text) {
        if (failure_) return;
        const auto at = is_in_source(text) ? text : place_;
        failure_.emplace();
        failure_->message = std::move(message);
        locate(*failure_, source_, offset_of(at), at.size());
    }
    void set_place(std::string_view text) {
        if (is_in_source(text)) place_ = text;
    }
    std::size_t offset_of(std::string_view text) const {
        const auto at = is_in_source(text) ? text : place_;
        return at.data() ? static_cast<std::size_t>(at.data() - source_.data()) : 0;
    }
    bool failed() const { return failure_.has_value(); }
    Failure take() { return *std::move(failure_); }

private:
    bool is_in_source(std::string_view text) const {
        return text.data() >= source_.data() && text.data() <= source_.data() + source_.size();
    }

    std::string_view source_;
    std::string_view place_;
    std::optional<Failure> failure_;
};

}  // namespace mailroom::liquid
