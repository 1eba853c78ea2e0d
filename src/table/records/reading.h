// What is wrong with a request while it is read: all of it, each with the name of its place.
#pragma once

#include "base/refusal.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mailroom::table {

class Reading {
public:
    // At the present place. Past the hundredth nobody reads on.
    void wrong(std::string why, std::string code = {}) {
        wrong_at({place_, std::move(why), std::move(code)});
    }
    // Of a member of the present place.
    void wrong_member(std::string_view member, std::string why, std::string code = {}) {
        wrong_at({joined(member), std::move(why), std::move(code)});
    }

    bool is_good() const { return bad_.empty(); }
    std::vector<BadField> take() { return std::move(bad_); }

    // While it lives, the present place is a member or an element of the one before.
    class Inside {
    public:
        Inside(Reading& reading, std::string_view member) : Inside(reading) {
            reading.place_ = reading.joined(member);
        }
        Inside(Reading& reading, std::size_t index) : Inside(reading) {
            reading.place_ += '[' + std::to_string(index) + ']';
        }
        ~Inside() { reading_.place_.resize(before_); }
        Inside(const Inside&) = delete;
        Inside& operator=(const Inside&) = delete;

    private:
        explicit Inside(Reading& reading) : reading_(reading), before_(reading.place_.size()) {}
        Reading& reading_;
        const std::size_t before_;
    };

private:
    static constexpr std::size_t bad_fields_max = 100;
    // Names come from outside: a long one is cut.
    static constexpr std::size_t name_bytes_max = 100;

    void wrong_at(BadField bad);
    std::string joined(std::string_view member) const;

    std::string place_;
    std::vector<BadField> bad_;
};

}  // namespace mailroom::table
