// The Liquid template language: compile once, render many times, from any thread.
//
//   const auto letter = TRY(Template::compile("Dear {{ name | capitalize }}"));
//   const auto data = OwnedValue::object({{"name", "ann"}});
//   const auto rendered = TRY(letter.render(data.view(), {.clock = clock}));
#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "liquid/failure.h"
#include "liquid/time_zone.h"
#include "liquid/value.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::liquid {

struct Program;
class Template;

struct CompileOptions {
    std::size_t text_bytes_max = 1024 * 1024;  // A mail above 100 KB is already clipped by readers.
};

enum class Escape {
    none,  // Subjects and text parts.
    html,  // Values are escaped unless their last filter is `raw` or they are markup already.
};

// What to do about a variable that is not there. A variable that is only tested (if, unless, case)
// or that has a `default` filter is never reported.
enum class Missing {
    render_empty,
    report_undefined,  // Fail, naming each variable that does not exist.
    report_nil,        // The same, and each that exists but is nil.
};

// Where `render` and `include` find their templates. Must be safe to call from any thread.
class Partials {
public:
    virtual ~Partials() = default;
    virtual std::optional<Template> find(std::string_view name) const = 0;
};

// What one render may use, so that no template can stall or fill the server.
struct Limits {
    std::size_t output_bytes_max = 8 * 1024 * 1024;
    std::size_t scratch_bytes_max = 16 * 1024 * 1024;  // What filters and captures make.
    std::uint64_t steps_max = 1'000'000;               // Loop turns and items seen by filters.
    std::size_t partial_depth_max = 16;                // Partials in partials.
    std::chrono::milliseconds time_max{1000};
};

struct RenderOptions {
    const Clock& clock;  // For `now`, and for the time limit.
    Escape escape = Escape::none;
    Missing missing = Missing::render_empty;
    const Partials* partials = nullptr;     // None: `render` and `include` fail.
    const TimeZones* time_zones = nullptr;  // None: only UTC and numeric offsets are known.
    std::string_view time_zone = "UTC";     // In which dates are written, unless the filter says.
    std::uint64_t random_seed = 0;          // For `sample`.
    Limits limits = {};
};

struct Rendered {
    std::string text;
};

// Immutable and cheap to copy. Copies share the compiled program (that is the shared_ptr), so a
// template may be replaced in a cache while others still render it.
class Template {
public:
    // A filter that does not exist is a failure: LiquidJS passes the value through, and would so
    // show what `sha25` was to hide.
    static Result<Template, Failure> compile(std::string_view text, const CompileOptions& = {});

    // `data` is an object whose keys are the variables; it must not change until this returns.
    Result<Rendered, Failure> render(const Value& data, const RenderOptions& options) const;

    // The variables it reads from its data, as paths such as `user.name`, once each and sorted.
    // Names that it assigns itself and what partials read are left out.
    std::vector<std::string> variables() const;

    const Program& program() const { return *program_; }

private:
    explicit Template(std::shared_ptr<const Program> program) : program_(std::move(program)) {}

    std::shared_ptr<const Program> program_;
};

}  // namespace mailroom::liquid
