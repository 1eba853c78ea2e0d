#include "people/segments/crowd.h"

#include "people/books.h"

#include <algorithm>
#include <utility>

namespace mailroom::people {

namespace {

// Before what is not used any more is thrown away: as much as is used, and this.
constexpr std::size_t waste_max = 1024;

template <class T>
void make_room(std::vector<T>& column, std::size_t place) {
    if (column.size() <= place) column.resize(place + 1);
}

template <class T>
std::size_t bytes_of(const std::vector<T>& column) {
    return column.capacity() * sizeof(T);
}

// With what the allocator adds for two pieces of memory.
std::size_t bytes_of_times(const std::vector<Time>& times) {
    return sizeof times + times.size() * sizeof(Time) + 16;
}

// What those places have, in their order; nothing if nobody had anything.
template <class T>
std::vector<T> moved(std::vector<T> from, const std::vector<Crowd::Place>& places) {
    std::vector<T> to;
    if (from.empty()) return to;
    to.reserve(places.size());
    for (const auto place : places) {
        to.push_back(place < from.size() ? std::move(from[place]) : T());
    }
    return to;
}

bool is_key(std::string_view name) { return name == "PK" || name == "SK"; }

}  // namespace

table::ValueView Crowd::Column::value(std::uint32_t number) const {
    auto bytes = values.at(number - 1);
    return table::ValueView::read(bytes);
}

const Crowd::Column* Crowd::column(std::string_view attribute) const {
    const auto found = columns_.find(attribute);
    return found == columns_.end() ? nullptr : &found->second;
}

Activity::Done Crowd::DeedColumn::done(Place place) const {
    Activity::Done done{from_unix_ms(last_ms[place]), counts[place]};
    if (place < before.size() && before[place]) done.before = *before[place];
    return done;
}

std::optional<Crowd::Place> Crowd::place(std::string_view address) const {
    const auto place = addresses_.find(address);
    return place == Dictionary::none ? std::nullopt : std::optional(place);
}

std::optional<table::Item> Crowd::profile(std::string_view address) const {
    const auto place = addresses_.find(address);
    if (place == Dictionary::none || !is_present(place)) return std::nullopt;
    return profile(place);
}

table::Item Crowd::profile(Place place) const {
    const auto key = profile_key(address(place));
    std::vector<table::Field> fields;
    fields.reserve(columns_.size() + 2);
    for (const auto field : key.view()) fields.push_back(field);
    for (const auto& [name, column] : columns_) {
        if (const auto number = column.at(place)) fields.push_back({name, column.value(number)});
    }
    return table::Item::from_fields(std::move(fields));
}

Crowd::Place Crowd::place_of(std::string_view address) {
    const auto place = addresses_.add(address);
    if (place == by_address_.size()) {
        make_room(present_, place / 64);
        by_address_.push_back(place);
    }
    return place;
}

void Crowd::put(std::string_view address, const table::ItemView& profile) {
    const auto place = place_of(address);
    if (!is_present(place)) ++present_count_;
    present_[place / 64] |= std::uint64_t{1} << (place % 64);
    // Both are in order of their names.
    auto column = columns_.begin();
    for (const auto field : profile) {
        if (is_key(field.name)) continue;
        for (; column != columns_.end() && column->first < field.name; ++column) {
            set(column->second, place, 0);
        }
        if (column == columns_.end() || column->first != field.name) {
            column = columns_.emplace_hint(column, field.name, Column());
        }
        set(column->second, place, column->second.values.add(field.value.encoded()) + 1);
        ++column;
    }
    for (; column != columns_.end(); ++column) set(column->second, place, 0);
}

void Crowd::erase(std::string_view address) {
    const auto place = addresses_.find(address);
    if (place == Dictionary::none || !is_present(place)) return;
    --present_count_;
    present_[place / 64] &= ~(std::uint64_t{1} << (place % 64));
    for (auto& [name, column] : columns_) set(column, place, 0);
    if (++erased_count_ <= present_count_ + waste_max) return;
    erased_count_ = 0;
    close_gaps();
}

void Crowd::put(std::string_view address, const Activity& activity) {
    set_activity(place_of(address), activity);
}

void Crowd::set_activity(Place place, const Activity& activity) {
    for (const auto& [deed, name] : all_names<Deed>) {
        auto& column = deeds_[static_cast<std::size_t>(deed)];
        const auto& done = activity.of(deed);
        if (!done && place >= column.counts.size()) continue;
        make_room(column.counts, place);
        make_room(column.last_ms, place);
        column.counts[place] = done ? std::max<std::int64_t>(done->count, 1) : 0;
        column.last_ms[place] = done ? to_unix_ms(done->last) : 0;
        set_before(column, place, done ? done->before : std::vector<Time>());
    }
}

void Crowd::set_before(DeedColumn& column, Place place, const std::vector<Time>& times) {
    if (times.empty() && place >= column.before.size()) return;
    make_room(column.before, place);
    auto& kept = column.before[place];
    if (kept) times_bytes_ -= bytes_of_times(*kept);
    kept = times.empty() ? nullptr : std::make_unique<const std::vector<Time>>(times);
    if (kept) times_bytes_ += bytes_of_times(*kept);
}

void Crowd::set(Column& column, Place place, std::uint32_t number) {
    if (number == 0 && place >= column.numbers.size()) return;
    make_room(column.numbers, place);
    column.numbers[place] = number;
    if (column.values.size() > 2 * addresses_.size() + waste_max) forget_values(column);
}

// Those that nobody has any more.
void Crowd::forget_values(Column& column) const {
    Dictionary used;
    for (auto& number : column.numbers) {
        if (number != 0) number = used.add(column.values.at(number - 1)) + 1;
    }
    column.values = std::move(used);
}

bool Crowd::is_needed(Place place) const {
    return is_present(place) || std::ranges::any_of(deeds_, [&](const DeedColumn& deed) {
               return place < deed.counts.size() && deed.counts[place] != 0;
           });
}

void Crowd::arrange() { close_gaps(); }

// Gives those who are still there, or did something, new places without gaps between them.
void Crowd::close_gaps() {
    sort();
    std::vector<Place> kept;
    for (const auto place : by_address_) {
        if (is_needed(place)) kept.push_back(place);
    }
    Crowd closed;
    for (const auto place : kept) {
        const auto to = closed.place_of(addresses_.at(place));
        if (!is_present(place)) continue;
        closed.present_[to / 64] |= std::uint64_t{1} << (to % 64);
        ++closed.present_count_;
    }
    for (auto& [name, column] : columns_) {
        column.numbers = moved(std::move(column.numbers), kept);
        forget_values(column);
        if (column.values.size() > 0) closed.columns_.emplace(name, std::move(column));
    }
    for (std::size_t i = 0; i < deed_count; ++i) {
        auto& from = deeds_[i];
        auto& to = closed.deeds_[i];
        to.counts = moved(std::move(from.counts), kept);
        to.last_ms = moved(std::move(from.last_ms), kept);
        to.before = moved(std::move(from.before), kept);
    }
    closed.times_bytes_ = times_bytes_;
    closed.sort();
    *this = std::move(closed);
}

void Crowd::sort() {
    const auto before = [&](Place a, Place b) { return address(a) < address(b); };
    const auto new_ones = by_address_.begin() + static_cast<std::ptrdiff_t>(sorted_count_);
    if (new_ones == by_address_.end()) return;
    std::vector<Place> come(new_ones, by_address_.end());
    if (!std::ranges::is_sorted(come, before)) std::ranges::sort(come, before);
    // From behind, each where it belongs: of many who stay only numbers are moved.
    auto end = new_ones;
    auto to = by_address_.end();
    for (; !come.empty(); come.pop_back()) {
        const auto place = std::upper_bound(by_address_.begin(), end, come.back(), before);
        to = std::move_backward(place, end, to);
        end = place;
        *--to = come.back();
    }
    sorted_count_ = by_address_.size();
}

std::size_t Crowd::after(std::string_view wanted) const {
    const auto found = std::ranges::upper_bound(by_address_, wanted, {},
                                                [&](Place place) { return address(place); });
    return static_cast<std::size_t>(found - by_address_.begin());
}

std::size_t Crowd::bytes() const {
    auto sum = addresses_.bytes() + bytes_of(present_) + bytes_of(by_address_);
    for (const auto& [name, column] : columns_) {
        sum += name.size() + column.values.bytes() + bytes_of(column.numbers);
    }
    for (const auto& deed : deeds_) {
        sum += bytes_of(deed.last_ms) + bytes_of(deed.counts) + bytes_of(deed.before);
    }
    return sum + times_bytes_;
}

}  // namespace mailroom::people
