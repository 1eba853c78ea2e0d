#include "base/text.h"
#include "mime/address.h"
#include "mime/address_reader.h"
#include "mime/address_tokens.h"
#include "mime/charset.h"
#include "mime/header_text.h"

#include <algorithm>
#include <iterator>
#include <span>

namespace mailroom::mime {

namespace {

using Kind = AddressToken::Kind;
using Tokens = std::span<const AddressToken>;

bool is_at(const AddressToken& token) { return token.is('@'); }
bool is_open(const AddressToken& token) { return token.is('<'); }

// Whether `right` continues the word that `left` ends: nothing between, or a dot at the seam (the
// obsolete `john . doe`).
bool connected(const AddressToken& left, const AddressToken& right) {
    return !right.space_before || left.text.ends_with('.') || right.text.starts_with('.');
}

bool is_word(const AddressToken& token) {
    return token.kind == Kind::atom || token.kind == Kind::quoted;
}

// UTF-8 whatever arrived.
std::string as_text(std::string_view bytes) { return to_utf8(bytes, {}).text; }

bool is_dot_atom(std::string_view text) {
    return !text.empty() && text.front() != '.' && text.back() != '.' &&
           text.find("..") == text.npos;
}

// The brackets are those of a literal, and nothing else that would end an atom is inside.
bool is_readable_domain(std::string_view domain) {
    if (domain.empty()) return false;
    if (domain.front() == '[') return domain.find(']') == domain.size() - 1;
    return domain.find_first_of(" ,;:<>@\"()[]\\") == domain.npos;
}

// Words with the spaces between them, encoded words decoded.
std::string phrase_text(Tokens tokens) {
    std::string raw;
    for (const auto& token : tokens) {
        if (token.kind == Kind::comment) continue;
        if (!raw.empty() && token.space_before) raw += ' ';
        raw += token.text;
    }
    return std::string(trim(decode_header_text(raw).text));
}

std::string last_comment(Tokens tokens) {
    for (auto token = tokens.rbegin(); token != tokens.rend(); ++token) {
        if (token->kind != Kind::comment) continue;
        return std::string(trim(decode_header_text(token->text).text));
    }
    return {};
}

std::vector<AddressToken> without_comments(Tokens tokens) {
    std::vector<AddressToken> kept;
    bool space = false;
    for (const auto& token : tokens) {
        space = space || token.space_before;
        if (token.kind == Kind::comment) continue;
        kept.push_back(token);
        kept.back().space_before = space;
        space = false;
    }
    return kept;
}

}  // namespace

void AddressReader::read(std::string_view text) {
    AddressTokens tokens(text, list_.defects);
    while (auto token = tokens.next()) {
        if (list_.mailboxes.size() >= mailboxes_max) {
            add_defect(list_.defects, "too-many-addresses", "the list has too many addresses");
            break;
        }
        take(std::move(*token));
    }
    end_entry(EntryEnd::text);
    if (in_group_) {
        add_defect(list_.defects, "unclosed-group", "a group has no ; at its end");
        close_group();
    }
}

void AddressReader::take(AddressToken token) {
    const bool in_route = in_angle_ && is_route_;
    if (token.is('<')) {
        in_angle_ = true;
        is_route_ = false;
    } else if (token.is('>')) {
        in_angle_ = false;
    } else if (token.is('@') && in_angle_ && is_open(entry_.back())) {
        is_route_ = true;
    } else if (token.is(',') && !in_route) {
        separators_ += 1;
        end_entry(EntryEnd::comma);
        return;
    } else if (token.is(';')) {
        end_entry(EntryEnd::semicolon);
        semicolon();
        return;
    } else if (token.is(':')) {
        if (in_route) is_route_ = false;
        if (!in_angle_ && begins_group()) return;
    }
    entry_has_at_ = entry_has_at_ || token.is('@');
    entry_.push_back(std::move(token));
}

void AddressReader::semicolon() {
    if (in_group_) {
        close_group();
        return;
    }
    separators_ += 1;
    add_defect(list_.defects, "semicolon", "a ; stands between addresses where a comma belongs");
}

bool AddressReader::begins_group() {
    if (entry_has_at_) return false;
    if (entry_.size() == 1 && ascii_equal_ignoring_case(entry_[0].text, "mailto")) {
        add_defect(list_.defects, "mailto", "mailto: does not belong to an address");
        entry_.clear();
        return true;
    }
    if (in_group_) return false;
    drop_pending();
    list_.groups.push_back({.name = phrase_text(entry_), .first = list_.mailboxes.size()});
    in_group_ = true;
    entry_.clear();
    return true;
}

void AddressReader::close_group() {
    auto& group = list_.groups.back();
    group.count = list_.mailboxes.size() - group.first;
    in_group_ = false;
}

void AddressReader::end_entry(EntryEnd end) {
    const auto entry = std::exchange(entry_, {});
    in_angle_ = is_route_ = entry_has_at_ = false;
    if (!entry.empty()) {
        if (std::ranges::any_of(entry, is_open)) {
            angle_entry(entry);
        } else if (std::ranges::any_of(entry, is_at)) {
            drop_pending();
            bare_entry(entry);
        } else {
            if (!pending_.empty()) pending_.push_back({.text = ","});
            std::ranges::copy(entry, std::back_inserter(pending_));
        }
    }
    if (end != EntryEnd::comma) drop_pending();
}

// Words that belong to no address. Some programs encode name and address together.
void AddressReader::drop_pending() {
    const auto words = std::exchange(pending_, {});
    if (words.empty()) return;
    const auto text = phrase_text(words);
    if (!is_decoded_ && text.find('@') != text.npos) {
        add_defect(list_.defects, "encoded-address", "an address stands in an encoded word");
        AddressReader inner(list_, Decoded::yes);
        inner.read(text);
        return;
    }
    if (!text.empty()) add_defect(list_.defects, "no-address", "\"" + text + "\" has no @");
    if (keeps_local_names_) add_local_names(words);
}

// Between commas: one word is a local part, several are a name.
void AddressReader::add_local_names(Tokens words) {
    while (!words.empty()) {
        const auto comma = std::ranges::find_if(words, [](const auto& t) { return t.text == ","; });
        const auto count = static_cast<std::size_t>(comma - words.begin());
        const auto entry = words.first(count);
        words = words.subspan(std::min(count + 1, words.size()));
        const auto kept = without_comments(entry);
        const auto text = phrase_text(kept);
        if (text.empty() || text.size() > lenient_address_bytes_max) continue;
        if (text.find(' ') == text.npos) {
            add({.display_name = last_comment(entry), .local_part = text, .domain = {}});
        } else {
            add({.display_name = text, .local_part = {}, .domain = {}});
        }
    }
}

void AddressReader::angle_entry(Tokens entry) {
    const auto open = static_cast<std::size_t>(
        entry.rend() - std::find_if(entry.rbegin(), entry.rend(), is_open) - 1);
    const auto before = entry.first(open);
    auto inside = entry.subspan(open + 1);
    const auto close = static_cast<std::size_t>(
        std::ranges::find_if(inside, [](const auto& t) { return t.is('>'); }) - inside.begin());
    if (close == inside.size()) {
        add_defect(list_.defects, "unclosed-angle", "the > after an address is missing");
    }
    const auto after = close == inside.size() ? Tokens{} : inside.subspan(close + 1);
    inside = inside.first(close);
    const auto is_bracket = [](const auto& t) { return t.is('<') || t.is('>'); };
    std::vector<AddressToken> words;
    std::ranges::remove_copy_if(before, std::back_inserter(words), is_bracket);
    if (words.size() != before.size()) {
        add_defect(list_.defects, "extra-brackets", "there are too many angle brackets");
    }
    const auto is_text = [&](const auto& t) { return t.kind != Kind::comment && !is_bracket(t); };
    if (std::ranges::any_of(after, is_text)) {
        add_defect(list_.defects, "text-after-address", "there is text after the address");
    }

    auto mailbox = addr_spec(inside);
    if (!mailbox) {
        // `ann@example.com <Ann>`: the two were exchanged.
        drop_pending();
        if (std::ranges::any_of(words, is_at)) {
            bare_entry(words);
        } else if (keeps_local_names_) {
            auto name = phrase_text(words);
            if (name.empty()) name = last_comment(entry);
            auto local = phrase_text(inside);
            if (local.size() > lenient_address_bytes_max) local.clear();
            if (!name.empty() || !local.empty()) add({std::move(name), std::move(local), {}});
        }
        return;
    }
    mailbox->display_name = name_with_pending(words);
    if (mailbox->display_name.empty()) mailbox->display_name = last_comment(entry);
    add(std::move(*mailbox));
}

std::string AddressReader::name_with_pending(Tokens words) {
    auto name = phrase_text(words);
    if (std::ranges::any_of(words, [](const auto& t) { return t.kind == Kind::special; })) {
        add_defect(list_.defects, "unquoted-name", "the name has characters that need quotes");
    }
    const auto pending = std::exchange(pending_, {});
    if (pending.empty()) return name;
    add_defect(list_.defects, "unquoted-comma", "a name with a comma needs quotes");
    return phrase_text(pending) + ", " + name;
}

// `local@domain` without angle brackets, perhaps several of them with spaces between.
void AddressReader::bare_entry(Tokens entry) {
    const auto comment = last_comment(entry);
    const auto kept = without_comments(entry);
    Tokens rest(kept);
    for (bool first = true;; first = false) {
        const auto at = static_cast<std::size_t>(std::ranges::find_if(rest, is_at) - rest.begin());
        if (at == rest.size()) break;
        auto start = at;
        while (start > 0 && is_word(rest[start - 1]) &&
               (start == at || connected(rest[start - 1], rest[start]))) {
            --start;
        }
        auto end = std::min(at + 2, rest.size());
        while (end < rest.size() && !rest[end].is('@') && connected(rest[end - 1], rest[end])) {
            ++end;
        }
        if (!first)
            add_defect(list_.defects, "missing-comma", "there is no comma between addresses");
        auto mailbox = addr_spec(rest.subspan(start, end - start));
        if (start > 0) {
            add_defect(list_.defects, "missing-angle", "the address needs < and > around it");
        }
        if (mailbox) {
            mailbox->display_name = start > 0 ? phrase_text(rest.first(start)) : comment;
            add(std::move(*mailbox));
        }
        rest = rest.subspan(end);
    }
    if (!rest.empty()) {
        add_defect(list_.defects, "text-after-address", "there is text after the address");
    }
}

std::optional<Mailbox> AddressReader::addr_spec(Tokens all) {
    const auto kept = without_comments(all);
    Tokens tokens(kept);
    const auto is_colon = [](const auto& t) { return t.is(':'); };
    const auto colon = std::ranges::find_if(tokens, is_colon);
    if (!tokens.empty() && tokens[0].is('@') && colon != tokens.end()) {
        // RFC 5322, 4.4: the route of an obsolete address is to be ignored.
        tokens = tokens.subspan(static_cast<std::size_t>(colon - tokens.begin()) + 1);
        add_defect(list_.defects, "route", "the address has a route before it");
    } else if (tokens.size() > 1 && tokens[1].is(':') &&
               ascii_equal_ignoring_case(tokens[0].text, "mailto")) {
        tokens = tokens.subspan(2);
        add_defect(list_.defects, "mailto", "mailto: does not belong to an address");
    }
    if (tokens.empty()) {
        add_defect(list_.defects, "empty-address", "the address is empty");
        return std::nullopt;
    }
    const auto last_at = std::find_if(tokens.rbegin(), tokens.rend(), is_at);
    if (last_at == tokens.rend()) {
        add_defect(list_.defects, "no-address", "\"" + phrase_text(tokens) + "\" has no @");
        return std::nullopt;
    }
    const auto at = static_cast<std::size_t>(tokens.rend() - last_at - 1);
    Mailbox mailbox{.display_name = {},
                    .local_part = local_part(tokens.first(at)),
                    .domain = domain(tokens.subspan(at + 1))};
    return checked(std::move(mailbox));
}

std::optional<Mailbox> AddressReader::checked(Mailbox mailbox) {
    if (mailbox.local_part.empty()) {
        add_defect(list_.defects, "no-local-part", "nothing stands before the @");
    } else if (!is_readable_domain(mailbox.domain)) {
        add_defect(list_.defects, "no-domain", "no domain stands after the @");
    } else if (mailbox.local_part.size() + mailbox.domain.size() > lenient_address_bytes_max) {
        add_defect(list_.defects, "long-address", "the address is too long");
    } else {
        return mailbox;
    }
    return std::nullopt;
}

std::string AddressReader::local_part(Tokens tokens) {
    std::string text;
    bool all_atoms = true, odd = false;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (i > 0 && !connected(tokens[i - 1], tokens[i])) {
            text += ' ';
            odd = true;
        }
        text += tokens[i].text;
        all_atoms = all_atoms && tokens[i].kind == Kind::atom;
        odd = odd || !is_word(tokens[i]);
    }
    if (odd || (all_atoms && !text.empty() && !is_dot_atom(text))) {
        add_defect(list_.defects, "odd-local-part", "what stands before the @ needs quotes");
    }
    return as_text(text);
}

std::string AddressReader::domain(Tokens tokens) {
    std::string text;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const bool fits = tokens[i].kind == Kind::atom || tokens[i].kind == Kind::literal;
        if (!fits || (i > 0 && !connected(tokens[i - 1], tokens[i]))) {
            add_defect(list_.defects, "text-after-address", "there is text after the domain");
            break;
        }
        text += tokens[i].text;
    }
    return as_text(text);
}

void AddressReader::add(Mailbox mailbox) {
    if (list_.mailboxes.size() < mailboxes_max) list_.mailboxes.push_back(std::move(mailbox));
}

AddressList parse_address_list(std::string_view text) {
    AddressList list;
    AddressReader(list).read(text);
    return list;
}

AddressList parse_address_list_with_local_names(std::string_view text) {
    using Reader = AddressReader;
    AddressList list;
    Reader(list, Reader::Decoded::no, Reader::LocalNames::keep).read(text);
    return list;
}

}  // namespace mailroom::mime
