#include "app/config.h"

#include "app/settings.h"
#include "base/scratch_directory.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

namespace mailroom::app {
namespace {

class ConfigTest : public testing::Test {
protected:
    // Loads a file with this text. Messages speak of it as FILE.
    Result<Config> load(std::string_view toml, Environment environment = {},
                        std::vector<ConfigSources::Flag> flags = {}) {
        std::ofstream(path_, std::ios::binary) << toml;
        return load_config({path_, std::move(environment), std::move(flags)});
    }
    std::string refusal(const Result<Config>& config) const {
        if (config) return "accepted";
        auto message = config.error().message;
        const auto at = message.find(path_);
        if (at != message.npos) message.replace(at, path_.size(), "FILE");
        return message;
    }

    ScratchDirectory scratch_;
    const std::string path_ = (scratch_ / "mailroom.toml").string();
};

TEST_F(ConfigTest, FlagsBeatTheEnvironmentWhichBeatsTheFileWhichBeatsTheDefaults) {
    const std::string_view toml =
        "[server]\nhttp = '127.0.0.1:1'\ndynamodb = '127.0.0.1:1001'\ndata = 'from-file'\n";
    const Environment environment{{"MAILROOM_SERVER_HTTP", "127.0.0.1:2"},
                                  {"MAILROOM_SERVER_DYNAMODB", "127.0.0.1:1002"},
                                  {"HOME", "/root"}};
    const auto config = load(toml, environment, {{"--http", "127.0.0.1:3"}});
    ASSERT_TRUE(config) << refusal(config);
    EXPECT_EQ(config->server.http.port, 3);
    EXPECT_EQ(config->server.dynamodb->port, 1002);
    EXPECT_EQ(config->server.data, "from-file");
    EXPECT_EQ(config->store.cache_mb, 96u);
}

TEST_F(ConfigTest, DefaultsAreThoseOfTheDocumentation) {
    const auto config = load_config({});
    ASSERT_TRUE(config);
    EXPECT_EQ(config->server.data, "./mailroom-data");
    EXPECT_EQ(config->server.http.text(), "127.0.0.1:8025");
    EXPECT_EQ(config->server.dynamodb->text(), "127.0.0.1:8000");
    EXPECT_EQ(config->server.smtp->text(), "127.0.0.1:2525");
    EXPECT_EQ(config->programs.outbox.settings().transport, "capture");
    EXPECT_EQ(config->programs.outbox.settings().unknown, outbox::UnknownPolicy::hold);
    EXPECT_EQ(config->server.durability, Durability::full);
    EXPECT_EQ(config->store.remote, std::nullopt);
    EXPECT_EQ(config->dynamodb.auth, DynamodbAuth::sigv4);
    EXPECT_EQ(config->tables.chat_conversations, "Conversations");
    EXPECT_EQ(config->tables.threads, "conversations");
}

TEST_F(ConfigTest, EveryKeyIsAcceptedFromEverySource) {
    Config defaults;
    for (const auto& setting : settings_of(defaults)) {
        SCOPED_TRACE(setting.path());
        const auto value = setting.show();
        const auto quote = setting.type == Setting::Type::text ? "'" : "";
        const auto toml = "[" + std::string(setting.section) + "]\n" + std::string(setting.key) +
                          " = " + quote + value + quote + "\n";
        EXPECT_EQ(refusal(load(toml)), "accepted");
        EXPECT_EQ(refusal(load("", {{setting.environment(), value}})), "accepted");
        if (setting.flag.empty()) continue;
        EXPECT_EQ(refusal(load("", {}, {{std::string(setting.flag), value}})), "accepted");
    }
}

TEST_F(ConfigTest, OneFileCanSetAllThereIs) {
    const auto config = load(R"(
        [server]
        data = "/var/lib/mailroom"
        http = "[::1]:80"
        dynamodb = "off"
        smtp = "127.0.0.1:25"
        durability = "relaxed"
        [store]
        kind = "dynamodb+http://127.0.0.1:4567"
        cache_mb = 64
        [dynamodb]
        auth = "none"
        region = "eu-west-1"
        [log]
        level = "debug"
        format = "json"
        [tables]
        outbox = "Test.EmailOutbox"
        [outbox]
        transport = "smtps://ann:secret@relay.example.com"
        connections = 4
        unknown = "retry"
        transcripts = "off"
        [dkim]
        keys = "example.com:s1:/keys/a.pem, example.org:s2:/keys/b.pem"
        [net]
        allow = "10.0.0.0/8,192.168.0.0/16"
    )");
    ASSERT_TRUE(config) << refusal(config);
    const auto& outbox = config->programs.outbox.settings();
    EXPECT_EQ(config->server.data, "/var/lib/mailroom");
    EXPECT_EQ(config->server.http.text(), "[::1]:80");
    EXPECT_EQ(config->server.dynamodb, std::nullopt);
    EXPECT_EQ(config->server.smtp->port, 25);
    EXPECT_EQ(config->server.durability, Durability::relaxed);
    EXPECT_EQ(config->store.remote, (RemoteDynamodb{false, "127.0.0.1", 4567}));
    EXPECT_EQ(config->store.cache_mb, 64u);
    EXPECT_EQ(config->dynamodb.auth, DynamodbAuth::none);
    EXPECT_EQ(config->dynamodb.region, "eu-west-1");
    EXPECT_EQ(config->log.level, log::Level::debug);
    EXPECT_EQ(config->log.format, log::Format::json);
    EXPECT_EQ(outbox.table, "Test.EmailOutbox");
    EXPECT_EQ(outbox.transport, "smtps://ann:secret@relay.example.com");
    EXPECT_EQ(outbox.connections, 4u);
    EXPECT_EQ(outbox.unknown, outbox::UnknownPolicy::retry);
    EXPECT_FALSE(outbox.transcripts);
    EXPECT_EQ(outbox.dkim_keys,
              (std::vector<outbox::DkimKey>{{"example.com", "s1", "/keys/a.pem"},
                                            {"example.org", "s2", "/keys/b.pem"}}));
    EXPECT_EQ(outbox.allowed_networks, (std::vector<std::string>{"10.0.0.0/8", "192.168.0.0/16"}));
}

TEST_F(ConfigTest, TheValuesOfSecretsAreNotShown) {
    for (const auto& refused :
         {load("[outbox]\ntransport = 'smtp://ann:secret@@:x'"), load("[outbox]\ntransport = 7"),
          load("[outbox]\ncallback_secret = 'whsec_?secret'"),
          load("", {{"MAILROOM_OUTBOX_TRANSPORT", "ftp://ann:secret@h"}}),
          load("", {}, {{"--transport", "ann:secret@h"}})}) {
        const auto message = refusal(refused);
        EXPECT_NE(message, "accepted");
        EXPECT_EQ(message.find("secret@"), std::string::npos) << message;
        EXPECT_EQ(message.find("?secret"), std::string::npos) << message;
    }
}

TEST_F(ConfigTest, SubmissionFromElsewhereNeedsTls) {
    EXPECT_NE(refusal(load("[server]\nsmtp = '0.0.0.0:587'")), "accepted");
    EXPECT_NE(refusal(load("[server]\ntls_certificate = '/c.pem'")), "accepted");
    EXPECT_EQ(refusal(load("[server]\nsmtp = '0.0.0.0:587'\ntls_certificate = '/c.pem'\n"
                           "tls_key = '/k.pem'")),
              "accepted");
}

TEST_F(ConfigTest, RefusalsOfTheFileNameLineKeyAndRemedy) {
    struct Case {
        std::string_view toml, want;
    };
    // clang-format off
    const Case cases[] = {
        {"[server]\n\nhtpp = '127.0.0.1:1'", "FILE:3: unknown key server.htpp; did you mean server.http?"},
        {"[server]\nqqqqqqqqqqqqqqqq = 1", "FILE:2: unknown key server.qqqqqqqqqqqqqqqq"},
        {"[serve]\nhttp = '127.0.0.1:1'", "FILE:1: unknown section [serve]; did you mean [server]?"},
        {"[zzz]", "FILE:1: unknown section [zzz]"},
        {"http = '127.0.0.1:1'", "FILE:1: unknown key http outside of a section"},
        {"server = 1", "FILE:1: server must be a section: [server]"},
        {"[server]\nhttp = 8025", "FILE:2: server.http is \"8025\"; expected HOST:PORT with an IP address or localhost in quotes"},
        {"[server]\nhttp = ['127.0.0.1:1']", "FILE:2: server.http is \"an array\"; expected HOST:PORT with an IP address or localhost in quotes"},
        {"[server.http]\nport = 1", "FILE:1: server.http is \"a table\"; expected HOST:PORT with an IP address or localhost in quotes"},
        {"[server]\nhttp = 'example.com:1'", "FILE:2: server.http is \"example.com:1\"; expected HOST:PORT with an IP address or localhost"},
        {"[server]\nhttp = 'off'", "FILE:2: server.http is \"off\"; expected HOST:PORT with an IP address or localhost"},
        {"[server]\ndata = ''", "FILE:2: server.data is \"\"; expected a path"},
        {"[server]\ndurability = 'fast'", "FILE:2: server.durability is \"fast\"; expected full or relaxed"},
        {"[store]\ncache_mb = '256'", "FILE:2: store.cache_mb is \"256\"; expected a whole number from 8 to 1048576 without quotes"},
        {"[store]\ncache_mb = 2.5", "FILE:2: store.cache_mb is \"2.5\"; expected a whole number from 8 to 1048576 without quotes"},
        {"[store]\ncache_mb = -1", "FILE:2: store.cache_mb is \"-1\"; expected a whole number from 8 to 1048576"},
        {"[store]\ncache_mb = 7", "FILE:2: store.cache_mb is \"7\"; expected a whole number from 8 to 1048576"},
        {"[store]\nkind = 'rocksdb'", "FILE:2: store.kind is \"rocksdb\"; expected embedded, or dynamodb+http(s)://HOST[:PORT]"},
        {"[log]\nlevel = 'INFO'", "FILE:2: log.level is \"INFO\"; expected debug, info, warn, error or off"},
        {"[tables]\noutbox = 'a'", "FILE:2: tables.outbox is \"a\"; expected a table name: 3 to 255 letters, digits, '_', '-' or '.'"},
        {"[tables]\noutbox = 'Audience'", "tables.audience and tables.outbox are both Audience"},
        {"[tables]\noutbox = 'MailroomKeys'", "tables.outbox is \"MailroomKeys\"; expected a name that does not begin with Mailroom"},
        {"[server]\nhttp = '127.0.0.1:8000'", "server.http and server.dynamodb are both 127.0.0.1:8000"},
    };
    // clang-format on
    for (const auto& c : cases) EXPECT_EQ(refusal(load(c.toml)), c.want);
}

TEST_F(ConfigTest, ABrokenOrAbsentFileIsRefusedWithItsPlace) {
    EXPECT_TRUE(refusal(load("[server]\nhttp = ")).starts_with("FILE:2: "));
    EXPECT_TRUE(refusal(load("a = 1\na = 2\n")).starts_with("FILE:2: "));
    EXPECT_TRUE(refusal(load("a = '\xff'\n")).starts_with("FILE:1: "));
    EXPECT_EQ(refusal(load(std::string(2 << 20, '\n'))), "FILE is larger than 1 MiB");
    std::filesystem::remove(path_);
    EXPECT_EQ(refusal(load_config({path_, {}, {}})), "cannot read FILE: No such file or directory");
    EXPECT_NE(refusal(load_config({scratch_.path().string(), {}, {}})), "accepted");
}

TEST_F(ConfigTest, RefusalsOfTheEnvironmentAndOfFlagsNameTheVariableOrFlag) {
    struct Case {
        Environment environment;
        std::vector<ConfigSources::Flag> flags;
        std::string_view want;
    };
    // clang-format off
    const Case cases[] = {
        {{{"MAILROOM_SERVER_HTPP", "x"}}, {}, "unknown environment variable MAILROOM_SERVER_HTPP; did you mean MAILROOM_SERVER_HTTP?"},
        {{{"MAILROOM_ADMIN_KEYS", "x"}}, {}, "unknown environment variable MAILROOM_ADMIN_KEYS; did you mean MAILROOM_ADMIN_KEY?"},
        {{{"MAILROOM_", "x"}}, {}, "unknown environment variable MAILROOM_"},
        {{{"MAILROOM_SERVER_HTTP", ""}}, {}, "MAILROOM_SERVER_HTTP is \"\"; expected HOST:PORT with an IP address or localhost"},
        {{{"MAILROOM_STORE_CACHE_MB", "much"}}, {}, "MAILROOM_STORE_CACHE_MB is \"much\"; expected a whole number from 8 to 1048576"},
        {{{"MAILROOM_ADMIN_KEY", "x"}, {"MAILROOM_LONG", "1"}, {"MAILROOM_TEST_BINARY", "x"}, {"OTHER", "x"}}, {}, "accepted"},
        {{}, {{"--http", "8025"}}, "--http is \"8025\"; expected HOST:PORT with an IP address or localhost"},
        {{}, {{"--nothing", "1"}}, "unknown flag --nothing"},
    };
    // clang-format on
    for (const auto& c : cases) {
        EXPECT_EQ(refusal(load_config({std::nullopt, c.environment, c.flags})), c.want);
    }
}

TEST_F(ConfigTest, UnsignedRequestsAreTakenOnLoopbackOnly) {
    struct Case {
        std::string_view listen;
        bool accepted;
    };
    const Case cases[] = {{"127.0.0.1:8000", true}, {"[::1]:8000", true},     {"off", true},
                          {"0.0.0.0:8000", false},  {"10.0.0.1:8000", false}, {"[::]:8000", false}};
    for (const auto& c : cases) {
        const Environment environment{{"MAILROOM_DYNAMODB_AUTH", "none"},
                                      {"MAILROOM_SERVER_DYNAMODB", std::string(c.listen)}};
        const auto config = load_config({std::nullopt, environment, {}});
        EXPECT_EQ(static_cast<bool>(config), c.accepted) << c.listen;
    }
}

TEST(Config, RemindersWrittenByAnAiNeedOne) {
    Environment environment{{"MAILROOM_REMINDERS_WRITER", "ai"}};
    const auto refused = load_config({std::nullopt, environment, {}});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().message, "reminders.writer is ai, but there is no reminders.ai_url");
    environment["MAILROOM_REMINDERS_AI_URL"] = "http://127.0.0.1:9/v1/chat/completions";
    EXPECT_TRUE(load_config({std::nullopt, environment, {}}));
    for (const auto& [name, value] : {std::pair("FROM", "nobody"),
                                      {"FROM", "ann@localhost"},
                                      {"AI_URL", "ftp://x"},
                                      {"FIRST_WINDOW_DAYS", "366"},
                                      {"FINALS_PER_CYCLE", "0"},
                                      {"FOUR_EYES", "yes"}}) {
        EXPECT_FALSE(
            load_config({std::nullopt, {{"MAILROOM_REMINDERS_" + std::string(name), value}}, {}}))
            << name << value;
    }
}

TEST(Settings, HaveUniqueNamesAndAcceptWhatTheyShow) {
    std::set<std::string> seen;
    Config config;
    for (const auto& setting : settings_of(config)) {
        SCOPED_TRACE(setting.path());
        EXPECT_TRUE(seen.insert(setting.path()).second);
        EXPECT_TRUE(seen.insert(setting.environment()).second);
        if (!setting.flag.empty()) {
            EXPECT_TRUE(seen.insert(std::string(setting.flag)).second);
        }
        const auto usual = setting.show();
        EXPECT_TRUE(setting.set(usual));
        EXPECT_EQ(setting.show(), usual);
        EXPECT_EQ(setting.set(""), setting.accepts.ends_with("or nothing"));
        if (!setting.accepts.ends_with("or nothing")) {
            EXPECT_EQ(setting.show(), usual);
        }
        EXPECT_TRUE(setting.help.ends_with('.'));
    }
}

TEST(Settings, AreWhatTheDocumentationSays) {
    std::ifstream file(MAILROOM_DOCS "/configuration.md");
    std::stringstream text;
    text << file.rdbuf();
    EXPECT_NE(text.str().find(settings_markdown()), std::string::npos)
        << "docs/configuration.md should hold this text:\n"
        << settings_markdown();
}

}  // namespace
}  // namespace mailroom::app
