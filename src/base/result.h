// A Result is a value or an Error. Functions that can fail for reasons outside the program return
// one. A bug is not an Error: assert it.
#pragma once

#include <concepts>
#include <string>
#include <utility>
#include <variant>

namespace mailroom {

// Add a code only when some caller treats it differently from the others.
enum class Errc { invalid, not_found, conflict, throttled, unavailable, corrupt };

struct Error {
    Errc code;
    std::string message;  // For people: never parsed.
};

struct Ok {};

// A folder whose callers need to know more than an Errc has an error type of its own that converts
// to Error (see table::Failure), so that TRY works across folders.
template <class T = Ok, class E = Error>
class [[nodiscard]] Result {
public:
    using value_type = T;
    using error_type = E;

    Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
    Result(E error) : state_(std::in_place_index<1>, std::move(error)) {}
    template <class F>
    requires(!std::same_as<std::remove_cvref_t<F>, E> && std::convertible_to<F, E> &&
             !std::convertible_to<F, T>) Result(F&& error)
        : state_(std::in_place_index<1>, static_cast<E>(std::forward<F>(error))) {}

    explicit operator bool() const { return state_.index() == 0; }
    T& operator*() & { return std::get<0>(state_); }
    const T& operator*() const& { return std::get<0>(state_); }
    T&& operator*() && { return std::get<0>(std::move(state_)); }
    T* operator->() { return &std::get<0>(state_); }
    const T* operator->() const { return &std::get<0>(state_); }
    E& error() & { return std::get<1>(state_); }
    const E& error() const& { return std::get<1>(state_); }
    E&& error() && { return std::get<1>(std::move(state_)); }

private:
    std::variant<T, E> state_;
};

// The value, or an early return of the Error. Use it alone on the right of `=` or as a statement.
#define TRY(...)                                               \
    __extension__({                                            \
        auto try_result = (__VA_ARGS__);                       \
        if (!try_result) return std::move(try_result).error(); \
        *std::move(try_result);                                \
    })

}  // namespace mailroom
