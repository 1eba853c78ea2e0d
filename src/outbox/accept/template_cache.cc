#include "outbox/accept/template_cache.h"

namespace mailroom::outbox {

namespace {

// One alone must not drive all others out.
constexpr std::size_t kept_text_bytes_max = 256 * 1024;

}  // namespace

Result<liquid::Template, liquid::Failure> TemplateCache::get(const std::string& text) {
    {
        const std::lock_guard lock(mutex_);
        if (const auto found = by_text_.find(text); found != by_text_.end()) {
            entries_.splice(entries_.begin(), entries_, found->second);
            return found->second->second;
        }
    }
    // Two that come at the same time both compile it: better than waiting for each other.
    auto compiled = liquid::Template::compile(text);
    if (compiled && text.size() <= kept_text_bytes_max) keep(text, *compiled);
    return compiled;
}

void TemplateCache::keep(const std::string& text, const liquid::Template& compiled) {
    const std::lock_guard lock(mutex_);
    if (by_text_.contains(text)) return;
    entries_.emplace_front(text, compiled);
    by_text_.emplace(entries_.front().first, entries_.begin());
    text_bytes_ += text.size();
    while (entries_.size() > templates_max || text_bytes_ > text_bytes_max) {
        const auto& oldest = entries_.back().first;
        text_bytes_ -= oldest.size();
        by_text_.erase(oldest);
        entries_.pop_back();
    }
}

std::size_t TemplateCache::size() const {
    const std::lock_guard lock(mutex_);
    return entries_.size();
}

}  // namespace mailroom::outbox
