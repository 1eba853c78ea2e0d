// What a template names, and what that names in turn.
#pragma once

#include "base/refusal.h"
#include "campaigns/templates/template_rows.h"
#include "schedule/transaction.h"
#include "table/records/rows.h"

#include <map>
#include <string>
#include <vector>

namespace mailroom::campaigns {

class Uses {
public:
    // Of the template `key`. `heads` must outlive this object.
    Uses(const table::Rows<TemplateHead>& heads, std::string key)
        : heads_(heads), key_(std::move(key)) {}

    // All that it has if it names those, each once, as they are now. `unprocessable`, with the path
    // that leads there, for one that is not there or names one on the way to it.
    Answer<std::vector<TemplateHead>> all(const std::vector<std::string>& named);
    // The same, and the transaction rests on it: none of them may change meanwhile, and none that
    // is named may be deleted without noticing.
    Answer<> add_to(schedule::Transaction& together, const std::vector<std::string>& named);

private:
    using Path = std::vector<std::string>;

    Answer<> follow(const std::vector<std::string>& named, Path& path);
    Answer<> visit(const std::string& key, Path& path);

    const table::Rows<TemplateHead>& heads_;
    const std::string key_;
    std::vector<TemplateHead> found_;
};

}  // namespace mailroom::campaigns
