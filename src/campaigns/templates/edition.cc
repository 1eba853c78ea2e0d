#include "campaigns/templates/edition.h"

#include "net/sigv4.h"

namespace mailroom::campaigns {

std::string Edition::hash() const {
    std::string text;
    for (const auto& [key, number, version_hash] : versions)
        text += key + " " + version_hash + "\n";
    return net::sha256_hex(text);
}

}  // namespace mailroom::campaigns
