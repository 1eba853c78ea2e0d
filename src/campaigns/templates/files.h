// Files that go along with the mails of a template, kept once however many have them.
#pragma once

#include "campaigns/books.h"
#include "campaigns/templates/content.h"

#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace mailroom::campaigns {

// A file that is to go along: its content, or the hash of one that is kept already.
struct NewFile {
    std::string filename, content_type, content_id;
    std::optional<std::string> content;  // Base 64.
    std::string sha256;

    static constexpr std::string_view record_name = "NewTemplateFile";
    static constexpr auto fields =
        std::tuple{table::asked("filename", &NewFile::filename),
                   table::asked("content_type", &NewFile::content_type, "Empty: by its name."),
                   table::asked("content_id", &NewFile::content_id,
                                "Not empty: an image that the HTML shows, by cid: and this."),
                   table::asked("content", &NewFile::content, "Base 64."),
                   table::asked("sha256", &NewFile::sha256,
                                "In place of it, of a file that is here already.")};
    static void check(const NewFile& file, table::Reading& reading);
};

// Thread-safe.
class Files {
public:
    // `books` must outlive this object.
    explicit Files(const Books& books) : books_(books) {}

    // Kept when it returns. `bad_field` for what the outbox would not send.
    Answer<std::vector<KeptFile>> keep(const std::vector<NewFile>& files) const;
    Result<std::string> read(const std::string& sha256) const;

private:
    Answer<KeptFile> described(const NewFile& file, const std::string& field,
                               std::string& bytes) const;
    Result<> write(const KeptFile& file, std::string_view bytes) const;

    const Books& books_;
};

}  // namespace mailroom::campaigns
