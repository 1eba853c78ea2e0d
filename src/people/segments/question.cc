#include "people/segments/question.h"

#include "people/segments/holds.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

namespace mailroom::people {

namespace {

constexpr std::uint64_t whole_block = ~std::uint64_t{0};

}  // namespace

// Either 64 places from one on, or those of a list.
struct Question::Block {
    Crowd::Place first = 0;
    const Crowd::Place* list = nullptr;

    Crowd::Place place(std::size_t i) const {
        return list != nullptr ? list[i] : first + static_cast<Crowd::Place>(i);
    }
    // A bit for each of `asked` of whom it is true.
    template <class IsTrue>
    std::uint64_t where(std::uint64_t asked, const IsTrue& is_true) const {
        std::uint64_t found = 0;
        if (asked == whole_block) {
            for (std::size_t i = 0; i < block_places; ++i) {
                found |= std::uint64_t{is_true(place(i))} << i;
            }
            return found;
        }
        for (auto rest = asked; rest != 0; rest &= rest - 1) {
            const auto i = static_cast<std::size_t>(std::countr_zero(rest));
            found |= std::uint64_t{is_true(place(i))} << i;
        }
        return found;
    }
};

class Question::Test {
public:
    virtual ~Test() = default;
    // Of those whose bit is set in `asked`.
    virtual std::uint64_t of(const Block& block, std::uint64_t asked) = 0;
};

namespace {

// What was found out about each value of a column, when it was first met.
class KnownValues {
public:
    explicit KnownValues(const Crowd::Column* column, bool of_nothing)
        : column_(column), known_(column != nullptr ? column->values.size() + 1 : 1) {
        known_[0] = of_nothing ? yes : no;
    }
    template <class Holds>
    bool of(Crowd::Place place, const Holds& holds) {
        const auto number = column_ != nullptr ? column_->at(place) : 0;
        if (known_[number] == 0) known_[number] = holds(column_->value(number)) ? yes : no;
        return known_[number] == yes;
    }

private:
    static constexpr std::uint8_t no = 1, yes = 2;
    const Crowd::Column* column_;
    std::vector<std::uint8_t> known_;
};

}  // namespace

class Question::Groups {
public:
    using Tests = std::vector<std::unique_ptr<Test>>;

    class AllOf final : public Test {
    public:
        explicit AllOf(Tests parts) : parts_(std::move(parts)) {}
        std::uint64_t of(const Block& block, std::uint64_t asked) override {
            for (auto& part : parts_) {
                if (asked == 0) break;
                asked = part->of(block, asked);
            }
            return asked;
        }

    private:
        Tests parts_;
    };

    class AnyOf final : public Test {
    public:
        explicit AnyOf(Tests parts) : parts_(std::move(parts)) {}
        std::uint64_t of(const Block& block, std::uint64_t asked) override {
            std::uint64_t found = 0;
            for (auto& part : parts_) {
                if (asked == found) break;
                found |= part->of(block, asked & ~found);
            }
            return found;
        }

    private:
        Tests parts_;
    };

    class NoneOf final : public Test {
    public:
        explicit NoneOf(std::unique_ptr<Test> part) : part_(std::move(part)) {}
        std::uint64_t of(const Block& block, std::uint64_t asked) override {
            return asked & ~part_->of(block, asked);
        }

    private:
        std::unique_ptr<Test> part_;
    };

    template <class Holds>
    class OfValue final : public Test {
    public:
        OfValue(const Crowd::Column* column, bool of_nothing, Holds holds)
            : known_(column, of_nothing), holds_(std::move(holds)) {}
        std::uint64_t of(const Block& block, std::uint64_t asked) override {
            return block.where(asked, [&](Crowd::Place place) { return known_.of(place, holds_); });
        }

    private:
        KnownValues known_;
        Holds holds_;
    };

    class OfDeed final : public Test {
    public:
        OfDeed(const Crowd::DeedColumn& column, const Did& test, Time now)
            : column_(column), test_(test), last_(test.moment.span(now)) {}
        std::uint64_t of(const Block& block, std::uint64_t asked) override {
            return block.where(asked, [&](Crowd::Place place) { return is_true(place); });
        }

    private:
        bool is_true(Crowd::Place place) const {
            if (place >= column_.counts.size()) return false;
            const auto count = column_.counts[place];
            if (count == 0 || count < test_.times) return false;
            if (test_.when == Did::When::ever) return true;
            const auto last = from_unix_ms(column_.last_ms[place]);
            if (test_.when == Did::When::before) return last < last_.first;
            if (test_.times == 1) return last >= last_.first;
            return column_.done(place).since(last_.first) >= test_.times;
        }
        const Crowd::DeedColumn& column_;
        const Did test_;
        const Span last_;
    };

    class OfPlaces final : public Test {
    public:
        explicit OfPlaces(std::vector<bool> meant) : meant_(std::move(meant)) {}
        std::uint64_t of(const Block& block, std::uint64_t asked) override {
            return block.where(
                asked, [&](Crowd::Place place) { return place < meant_.size() && meant_[place]; });
        }

    private:
        const std::vector<bool> meant_;
    };

    // Makes tests of the parts of a filter.
    struct Maker {
        const Crowd& crowd;
        Time now;
        const FoundDeeds& found;

        std::unique_ptr<Test> make(const Filter& filter) const {
            return std::visit(*this, filter.test);
        }
        Tests make_all(const std::vector<Filter>& filters) const {
            Tests tests;
            for (const auto& filter : filters) tests.push_back(make(filter));
            return tests;
        }
        template <class Holds>
        std::unique_ptr<Test> of_value(std::string_view attribute, bool of_nothing,
                                       Holds holds) const {
            return std::make_unique<OfValue<Holds>>(crowd.column(attribute), of_nothing,
                                                    std::move(holds));
        }

        std::unique_ptr<Test> with_mails(const Did& test) const {
            std::vector<bool> meant(crowd.places());
            for (const auto& [address, done] : found.of(test, now)) {
                const auto place = crowd.place(address);
                if (place && holds(test, done, now)) meant[*place] = true;
            }
            return std::make_unique<OfPlaces>(std::move(meant));
        }

        std::unique_ptr<Test> operator()(const All& all) const {
            return std::make_unique<AllOf>(make_all(all.parts));
        }
        std::unique_ptr<Test> operator()(const Any& any) const {
            return std::make_unique<AnyOf>(make_all(any.parts));
        }
        std::unique_ptr<Test> operator()(const Not& rest) const {
            return std::make_unique<NoneOf>(make(rest.part.front()));
        }
        std::unique_ptr<Test> operator()(const Compared& test) const {
            return of_value(test.path.front(), holds_of_nothing(test),
                            [&test, at = now](const table::ValueView& value) {
                                return holds(test, value, at);
                            });
        }
        std::unique_ptr<Test> operator()(const OneOf& test) const {
            return of_value(test.path.front(), false,
                            [&test, at = now](const table::ValueView& value) {
                                return holds(test, value, at);
                            });
        }
        std::unique_ptr<Test> operator()(const Exists& test) const {
            return of_value(test.path.front(), false,
                            [&test](const table::ValueView& value) { return holds(test, value); });
        }
        std::unique_ptr<Test> operator()(const Tagged& test) const {
            return of_value("tags", false,
                            [&test](const table::ValueView& tags) { return has_tag(test, tags); });
        }
        std::unique_ptr<Test> operator()(const Subscribed& test) const {
            return of_value(topics_column, false, [&test](const table::ValueView& topics) {
                return has_topic(test, topics);
            });
        }
        std::unique_ptr<Test> operator()(const InSegment&) const {
            return std::make_unique<AnyOf>(Tests());
        }
        std::unique_ptr<Test> operator()(const Did& test) const {
            if (test.mails) return with_mails(test);
            return std::make_unique<OfDeed>(crowd.deed(test.deed), test, now);
        }
    };
};

Question::Question(const Crowd& crowd, const Filter& filter, Time now, const FoundDeeds& found)
    : crowd_(crowd), test_(Groups::Maker{crowd, now, found}.make(filter)) {}
Question::~Question() = default;

std::uint64_t Question::of_block(std::size_t block) {
    const auto present = crowd_.present_of(block);
    if (present == 0) return 0;
    return test_->of({static_cast<Crowd::Place>(block * block_places), nullptr}, present);
}

std::size_t Question::count() {
    std::size_t count = 0;
    const auto blocks = (crowd_.places() + block_places - 1) / block_places;
    for (std::size_t block = 0; block < blocks; ++block) {
        count += static_cast<std::size_t>(std::popcount(of_block(block)));
    }
    return count;
}

void Question::each(const std::function<void(Crowd::Place)>& visit) {
    const auto blocks = (crowd_.places() + block_places - 1) / block_places;
    for (std::size_t block = 0; block < blocks; ++block) {
        for (auto found = of_block(block); found != 0; found &= found - 1) {
            visit(static_cast<Crowd::Place>(block * block_places +
                                            static_cast<std::size_t>(std::countr_zero(found))));
        }
    }
}

std::uint64_t Question::of(std::span<const Crowd::Place> places) {
    std::uint64_t asked = 0;
    for (std::size_t i = 0; i < places.size(); ++i) {
        asked |= std::uint64_t{crowd_.is_present(places[i])} << i;
    }
    return asked == 0 ? 0 : test_->of({0, places.data()}, asked);
}

}  // namespace mailroom::people
