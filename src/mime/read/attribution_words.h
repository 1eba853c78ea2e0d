// The words of a line that may say who wrote a mail and when. For attribution.cc only.
#pragma once

#include <cstddef>
#include <string_view>

namespace mailroom::mime {

// The length of the blank that `text` begins with, 0 for none. Of any width, and the commas of
// Chinese and Japanese.
std::size_t blank_length(std::string_view text);

std::string_view without_blanks(std::string_view text);

// What the words of a sentence are: parts of a date, of a name, an address, or plain words, as a
// person writes them.
class AttributionWords {
public:
    void read(std::string_view text);

    bool begins_with_date() const { return first_ == Kind::date; }
    bool begins_with_name() const { return first_ == Kind::name || first_ == Kind::address; }
    bool ends_with_address() const { return last_ == Kind::address; }
    bool names_somebody() const { return names_ > 0 || has_address_; }
    bool has_address() const { return has_address_; }
    bool has_date() const;
    bool has_date_before_address() const { return has_date_before_address_; }
    // A number of a date after the name: `On 5 Jan 2026 Chairs 20 Bob`.
    bool has_number_after_name() const { return has_number_after_name_; }
    // `Order Cancelled, Bob <bob@example.org>`
    bool has_comma_in_name() const { return has_comma_in_name_; }
    bool has_time() const { return has_time_; }
    bool has_second_and_zone() const { return has_second_ && has_zone_; }
    bool has_only_names() const { return has_only_names_; }
    std::size_t names() const { return names_; }
    // Plain words right before an address in brackets, which are a name in small letters.
    std::size_t plain_before_address() const { return plain_before_address_; }
    // All others.
    std::size_t plain() const { return plain_ + plain_so_far_; }
    bool has_pronoun() const { return has_pronoun_; }
    // One that is also a name where it has a capital: `He Wei`, `Han`.
    bool may_have_pronoun() const { return may_have_pronoun_; }

private:
    enum class Kind { none, date, name, address, plain };

    static std::size_t word_length(std::string_view text);
    static bool is_name(std::string_view word, std::string_view bare);
    void add(std::string_view word);
    void add_plain(std::string_view word);
    void add_address(std::string_view word);
    Kind kind_of(std::string_view word);
    Kind kind_of_number(std::string_view bare);

    Kind first_ = Kind::none, last_ = Kind::none;
    std::size_t names_ = 0, plain_ = 0, plain_so_far_ = 0, plain_before_address_ = 0;
    bool has_address_ = false, has_date_before_address_ = false, has_only_names_ = true;
    std::size_t days_and_months_ = 0;
    bool has_year_ = false, has_month_ = false, has_number_ = false, has_numeric_date_ = false;
    bool has_time_ = false, has_second_ = false, has_zone_ = false;
    bool has_number_after_name_ = false, has_pronoun_ = false, may_have_pronoun_ = false;
    bool ends_with_comma_ = false, has_comma_in_name_ = false;
};

}  // namespace mailroom::mime
