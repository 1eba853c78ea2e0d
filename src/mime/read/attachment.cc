#include "mime/read/attachment.h"

#include "base/hex.h"
#include "base/text.h"
#include "mime/read/defect_kinds.h"
#include "mime/read/file_name.h"

#include <openssl/evp.h>

#include <array>
#include <cassert>
#include <memory>

namespace mailroom::mime {
namespace {

class Sha256 {
public:
    Sha256() : context_(EVP_MD_CTX_new(), EVP_MD_CTX_free) {
        // Looking an algorithm up takes longer than hashing a small part.
        static EVP_MD* const algorithm = EVP_MD_fetch(nullptr, "SHA256", nullptr);
        [[maybe_unused]] const int done = EVP_DigestInit_ex2(context_.get(), algorithm, nullptr);
        assert(done == 1);
    }
    void add(std::string_view bytes) {
        EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size());
    }
    std::string hexadecimal() {
        std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
        unsigned size = 0;
        EVP_DigestFinal_ex(context_.get(), digest.data(), &size);
        return hex_encode({reinterpret_cast<const char*>(digest.data()), size});
    }

private:
    std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context_;
};

std::string name_for(std::string_view given, std::size_t number, std::string_view media_type) {
    auto name = safe_file_name(given);
    return name.empty() ? default_file_name(number, media_type) : name;
}

std::string_view without_brackets(std::string_view id) {
    id = trim(id);
    if (id.starts_with('<')) id.remove_prefix(1);
    if (id.ends_with('>')) id.remove_suffix(1);
    return trim(id);
}

}  // namespace

ReceivedAttachment ReceivedAttachment::of_part(const Part& part, std::size_t number, bool is_inline,
                                               Defects& defects) {
    ReceivedAttachment attachment;
    attachment.media_type_ = part.type.value;
    attachment.name_ = name_for(given_file_name(part), number, part.type.value);
    attachment.is_inline_ = is_inline;
    attachment.encoded_ = part.body;
    attachment.encoding_ = part.encoding;
    if (const auto id = part.headers.find("Content-ID")) {
        if (auto text = unfold(without_brackets(*id)); !text.empty()) {
            attachment.content_id_ = std::move(text);
        }
    }
    Sha256 hash;
    const bool clean =
        decode_transfer_in_pieces(part.body, part.encoding, [&](std::string_view piece) {
            attachment.size_bytes_ += piece.size();
            hash.add(piece);
        });
    attachment.sha256_ = hash.hexadecimal();
    if (!clean) add_defect(defects, defect::bad_encoding, "in " + attachment.name_);
    return attachment;
}

ReceivedAttachment ReceivedAttachment::of_content(std::string content, std::string_view name,
                                                  std::string_view media_type, std::size_t number) {
    ReceivedAttachment attachment;
    attachment.media_type_ = media_type.empty() ? "application/octet-stream" : media_type;
    attachment.name_ = name_for(name, number, attachment.media_type_);
    attachment.size_bytes_ = content.size();
    Sha256 hash;
    hash.add(content);
    attachment.sha256_ = hash.hexadecimal();
    attachment.own_content_ = std::move(content);
    return attachment;
}

std::string ReceivedAttachment::content() const {
    return own_content_ ? *own_content_ : decode_transfer(encoded_, encoding_).bytes;
}

std::string_view given_file_name(const Part& part) {
    if (const auto* name = part.disposition.find("filename")) return *name;
    if (const auto* name = part.type.find("name")) return *name;
    return {};
}

}  // namespace mailroom::mime
