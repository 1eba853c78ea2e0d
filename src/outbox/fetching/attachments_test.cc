#include "outbox/fetching/attachments.h"

#include "base/scratch_directory.h"
#include "net/fake_resolver.h"
#include "net/scripted_server.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <future>

namespace mailroom::outbox {
namespace {

void write_file(const std::filesystem::path& path, std::string_view content) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << content;
}

AttachmentSource source(AttachmentSource::Kind kind, std::string value) {
    AttachmentSource made;
    made.kind = kind;
    made.value = std::move(value);
    return made;
}

TEST(ConfinedPath, IsBelowTheDirectoryOrNothing) {
    struct Case {
        std::string_view given, want;  // An empty `want` is a refusal.
    };
    // clang-format off
    const Case cases[] = {
        {"a.pdf",               "a.pdf"},
        {"/a/b.pdf",            "a/b.pdf"},
        {"//a//./b.pdf",        "a/b.pdf"},
        {"file:///a/b.pdf",     "a/b.pdf"},
        {"a/..b",               "a/..b"},
        {"...",                 "..."},
        {"file://host/a.pdf",   ""},
        {"..",                  ""},
        {"../a",                ""},
        {"/../a",               ""},
        {"a/../../b",           ""},
        {"a/..",                ""},
        {"file:///../a",        ""},
        {"",                    ""},
        {"/",                   ""},
        {".",                   ""},
        {"a/",                  ""},
        {{"a\0b", 3},           ""},
    };
    // clang-format on
    for (const auto& c : cases) {
        SCOPED_TRACE(c.given);
        const auto got = confined_path(c.given);
        EXPECT_EQ(got ? *got : "", c.want);
    }
}

TEST(FilenameOf, IsTheLastPartOfThePathOrUrl) {
    using Kind = AttachmentSource::Kind;
    EXPECT_EQ(filename_of(source(Kind::path, "/d/n.txt")), "n.txt");
    EXPECT_EQ(filename_of(source(Kind::path, "n.txt")), "n.txt");
    EXPECT_EQ(filename_of(source(Kind::url, "https://example.com/d/n.pdf?a=/b#c")), "n.pdf");
    EXPECT_EQ(filename_of(source(Kind::url, "https://example.com")), "");
    EXPECT_EQ(filename_of(source(Kind::content, "a/b")), "");
}

class ConfinedFile : public ::testing::Test {
protected:
    void SetUp() override {
        write_file(scratch / "secret.txt", "secret");
        write_file(scratch / "base/a.txt", "inside");
        write_file(scratch / "base/d/b.txt", "deeper");
        write_file(scratch / "base/empty", "");
        write_file(scratch / "base2/c.txt", "beside");
        const auto link = [&](const std::string& to, const std::string& name) {
            std::filesystem::create_symlink(to, scratch / ("base/" + name));
        };
        link("d/b.txt", "good_link");
        link("../a.txt", "d/up_link");
        link("../secret.txt", "bad_link");
        link(scratch / "secret.txt", "absolute_link");
        link("..", "up");
        link("../base2", "beside");
        link("loop", "loop");
        link("/proc/self/root", "root");
        ::mkfifo((scratch / "base/pipe").c_str(), 0600);
    }

    ScratchDirectory scratch;
};

TEST_F(ConfinedFile, IsReadOnlyBelowTheDirectory) {
    struct Case {
        std::string path, want;  // What it holds, or what is wrong.
    };
    const std::string leads_out = "it leads out of the directory for attachments";
    // clang-format off
    const Case cases[] = {
        {"a.txt",                                   "inside"},
        {"/a.txt",                                  "inside"},
        {"file:///d/b.txt",                         "deeper"},
        {"empty",                                   ""},
        {"good_link",                               "deeper"},
        {"d/up_link",                               "inside"},
        {"none.txt",                                "no such file"},
        {"a.txt/x",                                 "no such file"},
        {"d",                                       "it is not a regular file"},
        {"pipe",                                    "it is not a regular file"},
        {"../secret.txt",                           "must not have \"..\" in it"},
        {(scratch / "secret.txt").string(),         "no such file"},
        {"bad_link",                                leads_out},
        {"absolute_link",                           leads_out},
        {"up/secret.txt",                           leads_out},
        {"beside/c.txt",                            leads_out},
        {"loop",                                    "it is a link that leads nowhere"},
        {"root/etc/passwd",                         leads_out},
        {std::string("a.txt\0x", 7),                "has a NUL character"},
        {std::string(300, 'x'),                     "the path is too long"},
    };
    // clang-format on
    for (const auto& c : cases) {
        SCOPED_TRACE(c.path);
        const auto got = read_confined(scratch / "base", c.path, 100);
        EXPECT_EQ(got ? *got : got.error().message, c.want);
    }
    EXPECT_FALSE(read_confined(scratch / "base", "a.txt", 5));
    EXPECT_FALSE(read_confined(scratch / "missing", "a.txt", 5));
}

class AttachmentFetcherTest : public ::testing::Test {
protected:
    Result<Contents, FetchProblem> fetch(std::vector<AttachmentSource> sources,
                                         std::size_t bytes_max = 1000) {
        Request request;
        request.attachments = std::move(sources);
        net::HttpClient http({}, guard);  // Servers of tests wait until it has closed.
        AttachmentFetcher fetcher(http, directory, bytes_max);
        std::promise<Result<FetchedUrls, FetchProblem>> promise;
        fetcher.fetch_urls(request, [&](auto fetched) { promise.set_value(std::move(fetched)); });
        auto fetched = promise.get_future().get();
        if (!fetched) return fetched.error();
        return fetcher.gather(request, *std::move(fetched));
    }

    using Kind = AttachmentSource::Kind;
    net::FakeResolver resolver;
    net::Guard guard{resolver, {.allowed = {*net::Network::parse("127.0.0.1/32")}}};
    ScratchDirectory scratch;
    std::optional<std::filesystem::path> directory = scratch.path();
};

TEST_F(AttachmentFetcherTest, BringsWhatIsOutsideInOrder) {
    write_file(scratch / "a.txt", "file");
    net::ScriptedServer server({net::ScriptedServer::answer(302, "", "Location: /there\r\n"),
                                net::ScriptedServer::answer(200, "web")});
    const auto got = fetch({source(Kind::path, "/a.txt"), source(Kind::content, "own"),
                            source(Kind::url, server.url() + "/here")});
    ASSERT_TRUE(got) << got.error().why;
    EXPECT_EQ(*got, (Contents{"file", "", "web"}));
}

TEST_F(AttachmentFetcherTest, SaysWhatIsWrongAndWhetherItMayPass) {
    net::ScriptedServer server(
        {net::ScriptedServer::answer(404, ""), net::ScriptedServer::answer(503, ""),
         net::ScriptedServer::answer(429, ""), "", net::ScriptedServer::answer(200, "12345678")});
    write_file(scratch / "a.txt", "12345678");
    struct Case {
        AttachmentSource source;
        std::string_view field, why;  // `why` is in it.
        bool may_pass;
    };
    const auto url = server.url() + "/";
    // clang-format off
    const Case cases[] = {
        {source(Kind::path, "none"),                     "attachments[0].path", "no such file", false},
        {source(Kind::path, "../x"),                     "attachments[0].path", "..", false},
        {source(Kind::path, "a.txt"),                    "attachments[0].path", "larger than", false},
        {source(Kind::content, "12345678"),              "attachments[0].content", "larger than", false},
        {source(Kind::url, url),                         "attachments[0].url", "answered 404", false},
        {source(Kind::url, url),                         "attachments[0].url", "answered 503", true},
        {source(Kind::url, url),                         "attachments[0].url", "answered 429", true},
        {source(Kind::url, url),                         "attachments[0].url", "", true},
        {source(Kind::url, url),                         "attachments[0].url", "larger than", false},
        {source(Kind::url, "http://10.0.0.1/"),          "attachments[0].url", "", false},
        {source(Kind::url, "http://none.example/"),      "attachments[0].url", "", true},
    };
    // clang-format on
    for (const auto& c : cases) {
        SCOPED_TRACE(c.source.value + " " + std::string(c.why));
        const auto got = fetch({c.source}, 7);
        ASSERT_FALSE(got);
        EXPECT_EQ(got.error().field, c.field);
        EXPECT_NE(got.error().why.find(c.why), std::string::npos) << got.error().why;
        EXPECT_EQ(got.error().may_pass, c.may_pass);
    }
}

TEST_F(AttachmentFetcherTest, WithoutADirectoryThereIsNoPath) {
    directory = std::nullopt;
    const auto got = fetch({source(Kind::path, "/a.txt")});
    ASSERT_FALSE(got);
    EXPECT_EQ(got.error().why, "this server has no directory for attachments");
    EXPECT_FALSE(got.error().may_pass);
}

TEST_F(AttachmentFetcherTest, TheLimitIsForAllTogether) {
    write_file(scratch / "a.txt", "12345");
    const auto path = source(Kind::path, "a.txt");
    EXPECT_TRUE(fetch({path, path}, 10));
    const auto got = fetch({path, path}, 9);
    ASSERT_FALSE(got);
    EXPECT_EQ(got.error().field, "attachments[1].path");
}

}  // namespace
}  // namespace mailroom::outbox
