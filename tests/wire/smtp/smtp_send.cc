// Sends mails through src/smtp's client and prints what became of them.
//
//   smtp_send < JOB.json
//
// JOB: {"host", "address", "port", "tls": "none|opportunistic|required|implicit", "ca_file",
//       "user", "password", "clear_text_login": bool, "messages_per_connection": n,
//       "mails": [{"sender", "recipients": […], "message", "utf8": bool}]}
// Prints one line of JSON for each mail, in order:
//   {"tls", "peer", "transcript",
//    "recipients": [{"recipient", "outcome", "stage", "code", "status", "text"}]}
// and a last one: {"opened", "reused"}.
#include "smtp/client.h"

#include <simdjson.h>

#include <cstdio>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>

namespace {

using namespace mailroom;
using simdjson::dom::element;

std::string text_of(const element& object, const char* name, std::string_view otherwise = "") {
    std::string_view text;
    return std::string(object[name].get(text) == simdjson::SUCCESS ? text : otherwise);
}

bool flag_of(const element& object, const char* name) {
    bool flag = false;
    return object[name].get(flag) == simdjson::SUCCESS && flag;
}

std::uint64_t number_of(const element& object, const char* name, std::uint64_t otherwise) {
    std::uint64_t number = 0;
    return object[name].get(number) == simdjson::SUCCESS ? number : otherwise;
}

std::string json_text(std::string_view text) {
    std::string out = "\"";
    for (char c : text) {
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (static_cast<unsigned char>(c) < ' ') {
            char escape[8];
            std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
            out += escape;
        } else {
            out += c;
        }
    }
    return out + '"';
}

smtp::TlsMode tls_mode(const std::string& name) {
    if (name == "none") return smtp::TlsMode::none;
    if (name == "required") return smtp::TlsMode::required;
    if (name == "implicit") return smtp::TlsMode::implicit;
    return smtp::TlsMode::opportunistic;
}

smtp::Target read_target(const element& job) {
    smtp::Target target{.host = text_of(job, "host", "localhost"),
                        .addresses = {text_of(job, "address", "127.0.0.1")},
                        .port = static_cast<std::uint16_t>(number_of(job, "port", 25)),
                        .hello_name = "client.example",
                        .tls = tls_mode(text_of(job, "tls"))};
    if (const auto user = text_of(job, "user"); !user.empty()) {
        target.login = smtp::Login{user, text_of(job, "password")};
    }
    if (flag_of(job, "clear_text_login")) {
        target.clear_text_login = smtp::ClearTextLogin::on_loopback;
    }
    target.limits.messages_per_connection_max = number_of(job, "messages_per_connection", 100);
    target.transcript_bytes_max = 64 * 1024;
    return target;
}

smtp::Mail read_mail(const element& json) {
    smtp::Mail mail{.sender = text_of(json, "sender"),
                    .recipients = {},
                    .message = text_of(json, "message"),
                    .utf8_header = flag_of(json, "utf8")};
    for (const auto recipient : json["recipients"].get_array()) {
        mail.recipients.emplace_back(std::string_view(recipient.get_string()));
    }
    return mail;
}

void print(const smtp::Delivery& delivery) {
    std::string out = "{\"tls\":" + json_text(delivery.tls) +
                      ",\"peer\":" + json_text(delivery.peer) +
                      ",\"transcript\":" + json_text(delivery.transcript) + ",\"recipients\":[";
    for (const auto& [recipient, verdict] : delivery.recipients) {
        if (out.back() == '}') out += ',';
        out += "{\"recipient\":" + json_text(recipient) +
               ",\"outcome\":" + json_text(name_of(verdict.outcome)) +
               ",\"stage\":" + json_text(name_of(verdict.stage)) +
               ",\"code\":" + std::to_string(verdict.code) +
               ",\"status\":" + json_text(verdict.status ? verdict.status->text() : "") +
               ",\"text\":" + json_text(verdict.text) + "}";
    }
    std::cout << out << "]}\n";
}

int run(const element& job) {
    smtp::Client::Options options;
    if (const auto file = text_of(job, "ca_file"); !file.empty()) options.ca_file = file;
    auto client = smtp::Client::create(options);
    if (!client) {
        std::cerr << client.error().message << '\n';
        return 1;
    }
    const auto target = std::make_shared<const smtp::Target>(read_target(job));
    for (const auto json : job["mails"].get_array()) {
        const auto delivery = (*client)->send_and_wait(target, read_mail(json));
        if (!delivery) {
            std::cerr << delivery.error().message << '\n';
            return 1;
        }
        print(*delivery);
    }
    const auto stats = (*client)->stats();
    (*client)->stop(std::chrono::seconds(5));
    std::cout << "{\"opened\":" << stats.opened << ",\"reused\":" << stats.reused << "}\n";
    return 0;
}

}  // namespace

int main() {
    const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
    try {
        simdjson::dom::parser parser;
        return run(parser.parse(text));
    } catch (const simdjson::simdjson_error& error) {
        std::cerr << "the job is no good: " << error.what() << '\n';
        return 1;
    }
}
