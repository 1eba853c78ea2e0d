#include "campaigns/templates/files.h"

#include "base/base64.h"
#include "campaigns/templates/template_rows.h"
#include "mime/build/build.h"
#include "net/sigv4.h"
#include "outbox/accept/compose.h"
#include "outbox/accept/request.h"
#include "table/records/many.h"

#include <utility>

namespace mailroom::campaigns {

namespace {

// Of all files of one template: base 64 makes a third more of them, and the texts are beside them.
constexpr std::size_t files_bytes_max = 28 * 1024 * 1024;

mime::Mailbox anybody() { return *mime::parse_address("anybody@example.com"); }

// What the outbox asks of the attachments of a mail.
std::optional<BadField> fault_of(const std::vector<KeptFile>& files, Time now) {
    outbox::Request request;
    request.from = anybody();
    request.to = {request.from};
    request.subject = request.html.emplace("-");
    mime::Message message;
    message.from = request.to;
    message.to = request.to;
    message.text = message.html.emplace("-");
    message.message_id = {"1@example.com"};
    for (const auto& file : files) {
        request.attachments.push_back({outbox::AttachmentSource::Kind::content, "", file.filename,
                                       file.content_type, file.content_id});
        if (file.content_id.empty()) {
            message.attachments.push_back({file.filename, file.content_type, ""});
        } else {
            message.inline_images.push_back(
                {file.content_id, file.content_type, "", file.filename});
        }
    }
    if (auto fault = outbox::fault_of(request, now)) return fault;
    const auto built = mime::build(message);
    if (built) return std::nullopt;
    return BadField{"attachments", "cannot be sent: " + built.error().message};
}

std::string type_of(const NewFile& file) {
    if (!file.content_type.empty()) return file.content_type;
    return std::string(outbox::media_type_of(file.filename));
}

}  // namespace

void NewFile::check(const NewFile& file, table::Reading& reading) {
    if (file.content && !file.sha256.empty()) {
        reading.wrong_member("sha256", "must not stand beside content");
    }
    if (!file.content && file.sha256.empty()) reading.wrong_member("content", "is missing");
}

Answer<std::vector<KeptFile>> Files::keep(const std::vector<NewFile>& files) const {
    std::vector<KeptFile> kept;
    std::vector<std::string> contents(files.size());
    std::int64_t bytes = 0;
    for (std::size_t i = 0; i < files.size(); ++i) {
        const auto field = "attachments[" + std::to_string(i) + "]";
        kept.push_back(TRY(described(files[i], field, contents[i])));
        bytes += kept.back().bytes;
    }
    if (bytes > static_cast<std::int64_t>(files_bytes_max)) {
        return Refusal::bad_field("attachments", "must be at most 28 MB together");
    }
    if (auto fault = fault_of(kept, books_.clock.now())) return Refusal(*std::move(fault));
    for (std::size_t i = 0; i < files.size(); ++i) {
        if (files[i].content) TRY(write(kept[i], contents[i]));
    }
    return kept;
}

Answer<KeptFile> Files::described(const NewFile& file, const std::string& field,
                                  std::string& bytes) const {
    KeptFile kept{file.filename, type_of(file), file.content_id, file.sha256, 0};
    if (!file.content) {
        const auto known =
            TRY(books_.get(books_.tables.campaigns, rows::first_of_file(file.sha256)));
        if (!known) return Refusal::bad_field(field + ".sha256", "is of no file that is here");
        kept.bytes = rows::bytes_of_file(*known);
        return kept;
    }
    auto decoded = base64_decode(*file.content);
    if (!decoded) return Refusal::bad_field(field + ".content", "must be base 64");
    bytes = *std::move(decoded);
    kept.sha256 = net::sha256_hex(bytes);
    kept.bytes = static_cast<std::int64_t>(bytes.size());
    return kept;
}

// The first row comes last: where it is, the file is whole.
Result<> Files::write(const KeptFile& file, std::string_view bytes) const {
    const auto& table = books_.tables.campaigns;
    if (TRY(books_.get(table, rows::first_of_file(file.sha256)))) return Ok{};
    auto pieces = rows::pieces_of_file(file.sha256, bytes);
    std::vector<table::BatchWrite::Action> others;
    for (std::size_t i = 1; i < pieces.rows.size(); ++i) {
        others.emplace_back(table::BatchWrite::Put{std::move(pieces.rows[i])});
    }
    TRY(table::write_all(books_.store, table, std::move(others)));
    TRY(books_.store.put(table::write::Put(table, std::move(pieces.rows.front()))));
    return Ok{};
}

Result<std::string> Files::read(const std::string& sha256) const {
    const auto& table = books_.tables.campaigns;
    const auto first = TRY(books_.get(table, rows::first_of_file(sha256)));
    const auto parts = first ? rows::parts_of_file(*first) : 1;
    auto rows = TRY(table::get_all(books_.store, table, rows::keys_of_file(sha256, parts)));
    return rows::joined(std::move(rows), parts);
}

}  // namespace mailroom::campaigns
