// Signs and verifies mail from the command line, so that other implementations can be asked about
// the result. The message is read from standard input.
//
//   dkim_tool record KEY.pem                                 prints the TXT record
//   dkim_tool sign TIME DOMAIN (SELECTOR KEY.pem)...         prints the DKIM-Signature fields
//   dkim_tool verify TIME NAME RECORD                        prints one verdict per line
#include "mime/dkim/sign.h"
#include "mime/dkim/verify.h"

#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>

namespace {

using namespace mailroom;
using namespace mailroom::mime::dkim;

class OneRecord final : public KeyLookup {
public:
    OneRecord(std::string name, std::string record)
        : name_(std::move(name)), record_(std::move(record)) {}

    Result<std::vector<std::string>> txt(const std::string& name) override {
        if (name != name_) return Error{Errc::not_found, "no such name"};
        return std::vector<std::string>{record_};
    }

private:
    std::string name_;
    std::string record_;
};

std::string read_all(std::istream& in) {
    return std::string(std::istreambuf_iterator<char>(in), {});
}

Result<PrivateKey> read_key(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return PrivateKey::from_pem(read_all(file));
}

Time to_time(const std::string& seconds) { return Time(std::chrono::seconds(std::stoll(seconds))); }

Result<std::string> run_sign(const std::vector<std::string>& arguments) {
    std::vector<PrivateKey> keys;
    for (std::size_t i = 3; i + 1 < arguments.size(); i += 2) {
        keys.push_back(TRY(read_key(arguments[i + 1])));
    }
    std::vector<Signer> signers;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        signers.push_back({.domain = arguments[2],
                           .selector = arguments[3 + 2 * i],
                           .key = keys[i],
                           .time = to_time(arguments[1])});
    }
    return sign(read_all(std::cin), signers);
}

std::string_view outcome_name(Verdict::Outcome outcome) {
    switch (outcome) {
        case Verdict::Outcome::pass:
            return "pass";
        case Verdict::Outcome::fail:
            return "fail";
        case Verdict::Outcome::temporary_error:
            return "temporary";
        case Verdict::Outcome::permanent_error:
            return "permanent";
    }
    return "";
}

std::string run_verify(const std::vector<std::string>& arguments) {
    OneRecord lookup(arguments[2], arguments[3]);
    std::string out;
    for (const auto& verdict : verify(read_all(std::cin), lookup, to_time(arguments[1]))) {
        out += std::string(outcome_name(verdict.outcome)) + "\t" +
               (verdict.body_has_unsigned_end ? "unsigned-end" : "whole") + "\t" + verdict.reason +
               "\n";
    }
    return out;
}

Result<std::string> run(const std::vector<std::string>& arguments) {
    if (arguments.size() == 2 && arguments[0] == "record") {
        const auto key = TRY(read_key(arguments[1]));
        return key.record() + "\n";
    }
    if (arguments.size() >= 5 && arguments[0] == "sign") return run_sign(arguments);
    if (arguments.size() == 4 && arguments[0] == "verify") return run_verify(arguments);
    return Error{Errc::invalid, "usage: dkim_tool record|sign|verify ..."};
}

}  // namespace

int main(int count, char** values) {
    const auto result = run(std::vector<std::string>(values + 1, values + count));
    if (!result) {
        std::cerr << result.error().message << "\n";
        return 1;
    }
    std::cout << *result;
    return 0;
}
