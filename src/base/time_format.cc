#include "base/time_format.h"

#include <algorithm>
#include <iterator>
#include <optional>

namespace mailroom {

namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;
using std::chrono::sys_days;

constexpr auto first_time = Time(sys_days(std::chrono::year(0) / 1 / 1));
constexpr auto last_time = Time(sys_days(std::chrono::year(10000) / 1 / 1)) - milliseconds(1);

struct Fields {
    int year;
    unsigned month, day, weekday;
    int hour, minute, second, millisecond;
};

Fields fields_of(Time time) {
    time = std::clamp(time, first_time, last_time);
    const auto day = std::chrono::floor<days>(time);
    const std::chrono::year_month_day date(day);
    const std::chrono::hh_mm_ss clock(time - day);
    return {static_cast<int>(date.year()),
            static_cast<unsigned>(date.month()),
            static_cast<unsigned>(date.day()),
            std::chrono::weekday(day).c_encoding(),
            static_cast<int>(clock.hours().count()),
            static_cast<int>(clock.minutes().count()),
            static_cast<int>(clock.seconds().count()),
            static_cast<int>(clock.subseconds().count())};
}

// A number of fixed width, with zeros in front. Every mail has a dozen times in its rows: printf
// would read its format anew for each.
template <class Number>
void append(std::string& text, Number number, int width) {
    const auto end = text.size() + static_cast<std::size_t>(width);
    text.resize(end);
    for (auto place = end; width-- > 0; number /= 10) {
        text[--place] = static_cast<char>('0' + number % 10);
    }
}

// "2026-11-15T05:51:24"
std::string date_and_second(const Fields& fields) {
    std::string text;
    text.reserve(std::size("2026-11-15T05:51:24.123Z"));
    append(text, fields.year, 4);
    append(text += '-', fields.month, 2);
    append(text += '-', fields.day, 2);
    append(text += 'T', fields.hour, 2);
    append(text += ':', fields.minute, 2);
    append(text += ':', fields.second, 2);
    return text;
}

// Reads fixed-width fields from the front of a text. After the first one that does not fit,
// everything reads as zero and ok() is false.
class Reader {
public:
    explicit Reader(std::string_view text) : rest_(text) {}

    int number(std::size_t digits) {
        int value = 0;
        for (std::size_t i = 0; i < digits; ++i) value = value * 10 + digit();
        return value;
    }
    void sign(char want) {
        if (!take(want)) ok_ = false;
    }
    bool take(char want) {
        if (!rest_.starts_with(want)) return false;
        rest_.remove_prefix(1);
        return true;
    }
    bool at_digit() const { return !rest_.empty() && rest_[0] >= '0' && rest_[0] <= '9'; }
    bool ok() const { return ok_; }
    bool finished() const { return ok_ && rest_.empty(); }

private:
    int digit() {
        if (!ok_ || !at_digit()) {
            ok_ = false;
            return 0;
        }
        const int value = rest_[0] - '0';
        rest_.remove_prefix(1);
        return value;
    }

    std::string_view rest_;
    bool ok_ = true;
};

std::optional<Time> time_from(int year, int month, int day, int hour, int minute, int second) {
    const auto date = std::chrono::year(year) / month / day;
    if (!date.ok() || hour > 23 || minute > 59 || second > 59) return std::nullopt;
    return Time(sys_days(date)) + hours(hour) + minutes(minute) + seconds(second);
}

// The digits after the point, up to nine, as whole milliseconds.
milliseconds read_fraction(Reader& reader) {
    constexpr int digits_max = 9;
    int value_ms = reader.number(1) * 100;
    for (int place = 1, weight = 10; place < digits_max && reader.at_digit(); ++place) {
        value_ms += reader.number(1) * weight;
        weight /= 10;
    }
    return milliseconds(value_ms);
}

// `Z`, or how far the local time is ahead of UTC.
std::optional<minutes> read_offset(Reader& reader) {
    if (reader.take('Z')) return minutes(0);
    const bool behind = reader.take('-');
    if (!behind) reader.sign('+');
    const int hour = reader.number(2);
    reader.sign(':');
    const int minute = reader.number(2);
    if (hour > 23 || minute > 59) return std::nullopt;
    const auto offset = hours(hour) + minutes(minute);
    return behind ? -offset : offset;
}

}  // namespace

std::string format_rfc3339(Time time) {
    const auto fields = fields_of(time);
    auto text = date_and_second(fields) + '.';
    append(text, fields.millisecond, 3);
    return text += 'Z';
}

std::string format_rfc3339_seconds(Time time) { return date_and_second(fields_of(time)) + 'Z'; }

std::string format_http_date(Time time) {
    static constexpr const char* weekdays[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    static constexpr const char* months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                             "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    const auto fields = fields_of(time);
    std::string text = weekdays[fields.weekday];
    append(text += ", ", fields.day, 2);
    text.append(" ").append(months[fields.month - 1]);
    append(text += ' ', fields.year, 4);
    append(text += ' ', fields.hour, 2);
    append(text += ':', fields.minute, 2);
    append(text += ':', fields.second, 2);
    return text += " GMT";
}

std::string format_aws_time(Time time) {
    auto text = date_and_second(fields_of(time));
    std::erase_if(text, [](char c) { return c == '-' || c == ':'; });
    return text += 'Z';
}

Result<Time> parse_rfc3339(std::string_view text) {
    const Error refusal{Errc::invalid, "a time must look like 2026-11-15T05:51:24.123Z"};
    Reader reader(text);
    const int year = reader.number(4);
    reader.sign('-');
    const int month = reader.number(2);
    reader.sign('-');
    const int day = reader.number(2);
    reader.sign('T');
    const int hour = reader.number(2);
    reader.sign(':');
    const int minute = reader.number(2);
    reader.sign(':');
    const int second = reader.number(2);
    const auto fraction = reader.take('.') ? read_fraction(reader) : milliseconds(0);
    const auto offset = read_offset(reader);
    const auto local = time_from(year, month, day, hour, minute, second);
    if (!reader.finished() || !offset || !local) return refusal;
    const auto time = *local + fraction - *offset;
    // An offset can push the ends of the range out of what we could write again.
    if (time < first_time || time > last_time) return refusal;
    return time;
}

Result<Time> parse_aws_time(std::string_view text) {
    Reader reader(text);
    const int year = reader.number(4), month = reader.number(2), day = reader.number(2);
    reader.sign('T');
    const int hour = reader.number(2), minute = reader.number(2), second = reader.number(2);
    reader.sign('Z');
    const auto time = time_from(year, month, day, hour, minute, second);
    if (!reader.finished() || !time) {
        return Error{Errc::invalid, "a time must look like 20261115T055124Z"};
    }
    return *time;
}

}  // namespace mailroom
