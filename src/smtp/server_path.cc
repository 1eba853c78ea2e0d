#include "smtp/server_path.h"

#include "base/text.h"

#include <arpa/inet.h>

#include <algorithm>

namespace mailroom::smtp {
namespace {

constexpr std::size_t local_bytes_max = 64;    // RFC 5321, 4.5.3.1.1.
constexpr std::size_t domain_bytes_max = 255;  // 4.5.3.1.2.
constexpr std::size_t label_bytes_max = 63;    // RFC 1035, 2.3.4.
constexpr std::size_t path_bytes_max = 254;    // 4.5.3.1.3, less the angle brackets.
constexpr std::size_t parameters_max = 16;     // There are not so many in all the RFCs.

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_high(char c) { return static_cast<unsigned char>(c) >= 0x80; }

// RFC 5322, 3.2.3, with RFC 6531's characters above ASCII.
bool is_atom_character(char c) {
    return is_letter(c) || is_digit(c) || is_high(c) ||
           (c != '\0' && std::string_view("!#$%&'*+-/=?^_`{|}~").find(c) != std::string_view::npos);
}

// Underscores are in no RFC's host names, and in many real ones.
bool is_label(std::string_view label) {
    return !label.empty() && label.size() <= label_bytes_max && label.front() != '-' &&
           label.back() != '-' && std::ranges::all_of(label, [](char c) {
               return is_letter(c) || is_digit(c) || is_high(c) || c == '-' || c == '_';
           });
}

PathProblem path_problem(std::string text) { return {PathProblem::Where::path, std::move(text)}; }
PathProblem parameter_problem(std::string text) {
    return {PathProblem::Where::parameters, std::move(text)};
}

class PathParser {
public:
    explicit PathParser(std::string_view text) : rest_(text) {}

    std::variant<PathArgument, PathProblem> parse() {
        while (rest_.starts_with(' ')) rest_.remove_prefix(1);
        if (!take('<')) return path_problem("The address must be in angle brackets");
        PathArgument argument;
        if (!take('>')) {
            if (!skip_route()) return path_problem("The source route is malformed");
            argument.path.emplace();
            if (auto problem = mailbox(*argument.path)) return path_problem(*std::move(problem));
            if (!take('>')) return path_problem("The address must end with >");
        }
        if (auto problem = parameters(argument.parameters)) {
            return parameter_problem(*std::move(problem));
        }
        return argument;
    }

private:
    using Problem = std::optional<std::string>;

    bool take(char c) {
        if (!rest_.starts_with(c)) return false;
        rest_.remove_prefix(1);
        return true;
    }

    // Accepted and ignored (RFC 5321, appendix C).
    bool skip_route() {
        if (!rest_.starts_with('@')) return true;
        const auto colon = rest_.find(':');
        if (colon == rest_.npos || colon > domain_bytes_max) return false;
        auto route = rest_.substr(0, colon);
        rest_.remove_prefix(colon + 1);
        while (!route.empty()) {
            const auto comma = std::min(route.find(','), route.size());
            const auto hop = route.substr(0, comma);
            if (!hop.starts_with('@') || !is_domain(hop.substr(1))) return false;
            route.remove_prefix(comma);
            if (route == ",") return false;
            if (!route.empty()) route.remove_prefix(1);
        }
        return true;
    }

    Problem mailbox(Path& path) {
        const auto whole = rest_;
        if (auto problem = rest_.starts_with('"') ? quoted_local(path) : dotted_local(path)) {
            return problem;
        }
        if (path.local.size() > local_bytes_max) {
            return "The part before the @ is longer than 64 bytes";
        }
        if (rest_.starts_with('>') && ascii_equal_ignoring_case(path.local, "postmaster")) {
            path.text = path.local;
            return std::nullopt;
        }
        if (!take('@')) return "The address has a character that is not allowed before the @";
        const auto end = rest_.starts_with('[') ? rest_.find(']') : rest_.find_first_of("> ");
        if (end == rest_.npos) return "The address must end with >";
        const auto length = rest_[end] == ']' ? end + 1 : end;
        path.domain = rest_.substr(0, length);
        rest_.remove_prefix(length);
        const bool known =
            path.domain.starts_with('[') ? is_address_literal(path.domain) : is_domain(path.domain);
        if (!known) return "The part after the @ is not a domain";
        path.text = whole.substr(0, whole.size() - rest_.size());
        if (path.text.size() > path_bytes_max) return "The address is longer than 254 bytes";
        if (!is_utf8(path.text)) return "The address is not UTF-8";
        return std::nullopt;
    }

    Problem dotted_local(Path& path) {
        std::size_t length = 0;
        while (length < rest_.size() && (is_atom_character(rest_[length]) || rest_[length] == '.'))
            ++length;
        path.local = rest_.substr(0, length);
        rest_.remove_prefix(length);
        const auto& local = path.local;
        if (local.empty()) return "There is nothing before the @";
        if (local.front() == '.' || local.back() == '.' || local.find("..") != local.npos) {
            return "A dot stands at the wrong place before the @";
        }
        return std::nullopt;
    }

    // RFC 5321, 4.1.2: printable characters, and any of them after a backslash.
    Problem quoted_local(Path& path) {
        const auto unprintable = [](char c) { return (c < ' ' && !is_high(c)) || c == '\x7f'; };
        for (std::size_t i = 1; i < rest_.size(); ++i) {
            if (rest_[i] == '"') {
                rest_.remove_prefix(i + 1);
                if (path.local.empty()) return "There is nothing before the @";
                return std::nullopt;
            }
            if (rest_[i] == '\\' && ++i == rest_.size()) break;
            if (unprintable(rest_[i])) return "A control character is between the quotes";
            path.local += rest_[i];
        }
        return "The closing quote is missing";
    }

    Problem parameters(std::vector<Parameter>& parameters) {
        while (take(' ')) {
            const auto word = rest_.substr(0, std::min(rest_.find(' '), rest_.size()));
            rest_.remove_prefix(word.size());
            if (word.empty()) continue;
            const auto equals = word.find('=');
            Parameter parameter{word.substr(0, std::min(equals, word.size())), std::nullopt};
            if (equals != word.npos) parameter.value = word.substr(equals + 1);
            if (!well_formed(parameter)) return "A parameter is malformed";
            for (const auto& earlier : parameters) {
                if (ascii_equal_ignoring_case(earlier.name, parameter.name)) {
                    return "A parameter is given twice";
                }
            }
            if (parameters.size() == parameters_max) return "There are too many parameters";
            parameters.push_back(parameter);
        }
        if (!rest_.empty()) return "There must be a space after the address";
        return std::nullopt;
    }

    static bool well_formed(const Parameter& parameter) {
        const auto& name = parameter.name;
        if (name.empty() || name.front() == '-') return false;
        const auto in_name = [](char c) { return is_letter(c) || is_digit(c) || c == '-'; };
        const auto in_value = [](char c) {
            return (c > ' ' && c < '\x7f' && c != '=') || is_high(c);
        };
        if (!std::ranges::all_of(name, in_name)) return false;
        return !parameter.value ||
               (!parameter.value->empty() && std::ranges::all_of(*parameter.value, in_value));
    }

    std::string_view rest_;
};

int hex_value(char c) {
    if (is_digit(c)) return c - '0';
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

}  // namespace

bool is_domain(std::string_view text) {
    if (text.empty() || text.size() > domain_bytes_max) return false;
    for (;;) {
        const auto dot = text.find('.');
        if (!is_label(text.substr(0, std::min(dot, text.size())))) return false;
        if (dot == text.npos) return true;
        text.remove_prefix(dot + 1);
    }
}

bool is_address_literal(std::string_view text) {
    if (text.size() < 3 || text.front() != '[' || text.back() != ']') return false;
    text = text.substr(1, text.size() - 2);
    const bool v6 = text.size() > 5 && ascii_equal_ignoring_case(text.substr(0, 5), "IPv6:");
    if (v6) text.remove_prefix(5);
    if (text.find('\0') != text.npos) return false;
    unsigned char address[16];
    return ::inet_pton(v6 ? AF_INET6 : AF_INET, std::string(text).c_str(), address) == 1;
}

std::variant<PathArgument, PathProblem> parse_path_argument(std::string_view text) {
    return PathParser(text).parse();
}

std::optional<std::string> decode_xtext(std::string_view text) {
    std::string decoded;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c < '!' || c > '~' || c == '=') return std::nullopt;
        if (c != '+') {
            decoded += c;
            continue;
        }
        if (i + 2 >= text.size()) return std::nullopt;
        const int high = hex_value(text[i + 1]), low = hex_value(text[i + 2]);
        if (high < 0 || low < 0) return std::nullopt;
        decoded += static_cast<char>(high * 16 + low);
        i += 2;
    }
    return decoded;
}

}  // namespace mailroom::smtp
