#include "base/log.h"

#include <fmt/format.h>
#include <spdlog/logger.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <array>
#include <cmath>
#include <memory>

namespace mailroom::log {

namespace {

struct LevelName {
    Level level;
    std::string_view name;
    spdlog::level::level_enum spdlog_level;
};
constexpr std::array<LevelName, 5> level_names{{
    {Level::debug, "debug", spdlog::level::debug},
    {Level::info, "info", spdlog::level::info},
    {Level::warn, "warn", spdlog::level::warn},
    {Level::error, "error", spdlog::level::err},
    {Level::off, "off", spdlog::level::off},
}};

const LevelName& entry(Level level) { return level_names[static_cast<std::size_t>(level)]; }

// Logging is the one thing every folder may do without being handed it, so its state is global.
struct State {
    Format format = Format::text;
    std::unique_ptr<spdlog::logger> logger;
};

State make_state(Level level, Format format, std::FILE* output) {
    using Sink = spdlog::sinks::stdout_sink_base<spdlog::details::console_mutex>;
    State state;
    state.format = format;
    // spdlog's loggers hold sinks by shared_ptr.
    state.logger = std::make_unique<spdlog::logger>("mailroom", std::make_shared<Sink>(output));
    state.logger->set_level(entry(level).spdlog_level);
    const char* pattern = format == Format::json ? R"({"time":"%Y-%m-%dT%H:%M:%S.%eZ",%v})"
                                                 : "%Y-%m-%dT%H:%M:%S.%eZ %v";
    state.logger->set_formatter(
        std::make_unique<spdlog::pattern_formatter>(pattern, spdlog::pattern_time_type::utc, "\n"));
    return state;
}

State& state() {
    static State instance = make_state(Level::info, Format::text, stderr);
    return instance;
}

using Buffer = fmt::memory_buffer;

void append(Buffer& out, std::string_view text) {
    out.append(text.data(), text.data() + text.size());
}

// Valid inside a JSON string, and as safe in a line of text. Bytes above 0x7F pass as they are.
void append_escaped(Buffer& out, std::string_view text) {
    for (const char c : text) {
        switch (c) {
            case '"':
                append(out, "\\\"");
                break;
            case '\\':
                append(out, "\\\\");
                break;
            case '\n':
                append(out, "\\n");
                break;
            case '\r':
                append(out, "\\r");
                break;
            case '\t':
                append(out, "\\t");
                break;
            default:
                if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
                    fmt::format_to(std::back_inserter(out), "\\u{:04x}", c);
                } else {
                    out.push_back(c);
                }
        }
    }
}

void append_quoted(Buffer& out, std::string_view text) {
    out.push_back('"');
    append_escaped(out, text);
    out.push_back('"');
}

// Whether a reader could tell where a bare `key=value` ends.
bool is_plain(std::string_view text) {
    if (text.empty()) return false;
    for (const char c : text) {
        if (static_cast<unsigned char>(c) <= ' ' || c == '"' || c == '\\' || c == '=' ||
            c == 0x7f) {
            return false;
        }
    }
    return true;
}

void append_value(Buffer& out, const Value& value, Format format) {
    const auto visitor = [&](const auto& held) {
        using Held = std::remove_cvref_t<decltype(held)>;
        if constexpr (std::same_as<Held, std::string_view>) {
            if (format == Format::text && is_plain(held)) {
                append(out, held);
            } else {
                append_quoted(out, held);
            }
        } else if constexpr (std::same_as<Held, double>) {
            // JSON has no word for these two.
            if (format == Format::json && !std::isfinite(held)) {
                append(out, "null");
            } else {
                fmt::format_to(std::back_inserter(out), "{}", held);
            }
        } else {
            fmt::format_to(std::back_inserter(out), "{}", held);
        }
    };
    std::visit(visitor, value.get());
}

}  // namespace

std::optional<Level> level_named(std::string_view name) {
    for (const auto& level : level_names) {
        if (level.name == name) return level.level;
    }
    return std::nullopt;
}

std::optional<Format> format_named(std::string_view name) {
    if (name == "text") return Format::text;
    if (name == "json") return Format::json;
    return std::nullopt;
}

void configure(Level level, Format format, std::FILE* output) {
    state() = make_state(level, format, output);
}

bool enabled(Level level) { return state().logger->should_log(entry(level).spdlog_level); }

void write(Level level, std::string_view message, Fields fields) {
    if (level == Level::off || !enabled(level)) return;
    const auto& [format, logger] = state();
    Buffer line;
    if (format == Format::json) {
        fmt::format_to(std::back_inserter(line), R"("level":"{}","message":)", entry(level).name);
        append_quoted(line, message);
    } else {
        append(line, entry(level).name);
        line.push_back(' ');
        append_escaped(line, message);
    }
    for (const auto& field : fields) {
        if (format == Format::json) {
            line.push_back(',');
            append_quoted(line, field.key);
            line.push_back(':');
        } else {
            line.push_back(' ');
            append(line, field.key);
            line.push_back('=');
        }
        append_value(line, field.value, format);
    }
    logger->log(entry(level).spdlog_level, spdlog::string_view_t(line.data(), line.size()));
}

std::optional<std::uint64_t> RateLimit::pass(Time now) {
    const auto now_ms = to_unix_ms(now);
    auto next_ms = next_ms_.load();
    // A clock that was set back by more than the interval must not silence us until it catches up.
    const bool due = now_ms >= next_ms || next_ms - now_ms > interval_ms_;
    if (due && next_ms_.compare_exchange_strong(next_ms, now_ms + interval_ms_)) {
        return dropped_.exchange(0);
    }
    ++dropped_;
    return std::nullopt;
}

}  // namespace mailroom::log
