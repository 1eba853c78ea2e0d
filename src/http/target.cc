#include "http/target.h"

#include "base/text.h"

#include <boost/url/encoding_opts.hpp>
#include <boost/url/parse.hpp>
#include <boost/url/url_view.hpp>

#include <algorithm>

namespace mailroom::http {
namespace {

namespace urls = boost::urls;

bool is_clean(std::string_view text) {
    return text.find('\0') == std::string_view::npos && is_utf8(text);
}

Result<urls::url_view> parse_url(std::string_view text) {
    const auto url = text.starts_with('/') ? urls::parse_origin_form({text.data(), text.size()})
                                           : urls::parse_absolute_uri({text.data(), text.size()});
    const bool is_path = url.has_value() && (text.starts_with('/') || url->has_authority());
    if (!is_path) return Error{Errc::invalid, "the request's target is not a valid path"};
    return urls::url_view(*url);
}

}  // namespace

Result<Target> parse_target(std::string_view text) {
    const auto url = TRY(parse_url(text));
    Target target;
    for (const auto segment : url.encoded_segments()) target.segments.push_back(segment.decode());
    // "/" is one empty segment to Boost.
    if (target.segments == std::vector<std::string>{""}) target.segments.clear();

    urls::encoding_opts form_encoding;
    form_encoding.space_as_plus = true;
    for (const auto parameter : url.encoded_params()) {
        if (parameter.key.empty() && !parameter.has_value) continue;  // "?" alone, or "a=1&&b=2".
        target.parameters.emplace_back(parameter.key.decode(form_encoding),
                                       parameter.value.decode(form_encoding));
    }
    const bool clean = std::ranges::all_of(target.segments, is_clean) &&
                       std::ranges::all_of(target.parameters, [](const auto& parameter) {
                           return is_clean(parameter.first) && is_clean(parameter.second);
                       });
    if (!clean) return Error{Errc::invalid, "the request's target is not UTF-8 text"};
    return target;
}

}  // namespace mailroom::http
