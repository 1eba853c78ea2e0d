// The bytes of one message as they arrive: dots unstuffed, line ends checked, sizes bounded.
//
// After DATA only CR LF "." CR LF ends a message; any other mixture of dots and line ends is part
// of it, or a reason to refuse it. After BDAT the sizes of the chunks tell the end.
#pragma once

#include "smtp/server_settings.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace mailroom::smtp {

// Bytes that all connections of a server hold together. For one thread.
class MemoryBudget {
public:
    // `shared`, if any, counts too.
    explicit MemoryBudget(std::uint64_t bytes_max, ByteBudget* shared = nullptr)
        : bytes_max_(bytes_max), shared_(shared) {}

    bool has_room_for(std::uint64_t bytes) const {
        if (bytes > bytes_max_ - used_) return false;
        return shared_ == nullptr || bytes + shared_->taken() <= shared_->bytes_max();
    }
    bool take(std::uint64_t bytes) {
        if (bytes > bytes_max_ - used_) return false;
        if (shared_ != nullptr && !shared_->take(bytes)) return false;
        used_ += bytes;
        return true;
    }
    void give_back(std::uint64_t bytes) {
        used_ -= bytes;
        if (shared_ != nullptr) shared_->give_back(bytes);
    }
    std::uint64_t used() const { return used_; }

private:
    const std::uint64_t bytes_max_;
    ByteBudget* const shared_;
    std::uint64_t used_ = 0;
};

class IncomingData {
public:
    enum class Form { dotted, literal };  // After DATA, after BDAT.
    enum class Outcome { need_more, complete };
    // Why the message cannot be taken; from the first one found on nothing is kept. In rising
    // order: of several the last counts, however the bytes were cut into pieces.
    enum class Problem { none, line_too_long, no_memory, too_large, bare_newline };

    // Both must outlive this object.
    IncomingData(const ServerSettings& settings, MemoryBudget& budget)
        : settings_(settings), budget_(budget) {}
    ~IncomingData() { clear(); }
    IncomingData(const IncomingData&) = delete;
    IncomingData& operator=(const IncomingData&) = delete;

    // Forgets everything and gives the memory back.
    void clear();
    void start(Form form, std::uint64_t expected_bytes);
    // Takes from the front of `bytes` and adds to `used` how many. `complete` is for Form::dotted
    // only. With Problem::bare_newline it stops at once: what follows cannot be trusted.
    Outcome put(std::string_view bytes, std::size_t& used);
    // The last chunk has arrived: a last line without its end gets one.
    void finish();

    Problem problem() const { return problem_; }
    std::uint64_t bytes() const { return bytes_; }  // That arrived, kept or not.
    // The message. It still counts as held until clear().
    std::string take() { return std::move(kept_); }

private:
    enum class At {
        line_start,
        dot,          // A dot, first on its line.
        dot_then_cr,  // That and CR: LF would end the message.
        text,         // Inside a line, or after a line end that was not CRLF.
        text_then_cr,
    };

    void put_text(std::string_view bytes, std::size_t& at);
    void end_line();
    void bare_newline();
    void keep(std::string_view bytes);
    void fail(Problem problem);

    const ServerSettings& settings_;
    MemoryBudget& budget_;
    Form form_ = Form::dotted;
    At at_ = At::line_start;
    Problem problem_ = Problem::none;
    std::uint64_t bytes_ = 0;
    std::uint64_t line_bytes_ = 0;
    std::uint64_t message_bytes_ = 0;  // Of the message, kept or not.
    std::uint64_t held_bytes_ = 0;     // Taken from the budget.
    std::string kept_;
};

}  // namespace mailroom::smtp
