// Runs a fuzzer's entry without libFuzzer: first on every file of its corpus, then on inputs that
// are put together at random from the words of its dictionary, raw bytes and pieces of the corpus.
// The same corpus gives the same inputs.
//
//   fuzz_NAME NAME.dict [CORPUS_DIRECTORY]...

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

// Some seconds under ASan+UBSan, of short inputs and of long ones.
constexpr int random_inputs_max = 20'000;
constexpr std::size_t random_bytes_max = 2'000'000;
constexpr std::uint64_t first_number = 1;
constexpr std::size_t words_max = 24;
constexpr std::size_t corpus_piece_bytes_max = 2048;

// The quoted part of a dictionary line, its \xAB and \" escapes resolved.
std::string word_of(std::string_view line) {
    const auto open = line.find('"');
    const auto close = line.rfind('"');
    if (line.starts_with('#') || open == line.npos || close <= open) return {};
    line = line.substr(open + 1, close - open - 1);
    std::string word;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] != '\\' || i + 1 >= line.size()) {
            word += line[i];
        } else if (line[i + 1] == 'x' && i + 3 < line.size()) {
            word += static_cast<char>(std::stoi(std::string(line.substr(i + 2, 2)), nullptr, 16));
            i += 3;
        } else {
            word += line[++i];
        }
    }
    return word;
}

std::vector<std::string> read_words(const char* path) {
    std::ifstream file(path);
    std::vector<std::string> words;
    for (std::string line; std::getline(file, line);) {
        if (auto word = word_of(line); !word.empty()) words.push_back(std::move(word));
    }
    return words;
}

// In the order of their names: directories have none of their own.
std::vector<std::string> read_corpus(const std::vector<std::string>& directories) {
    std::vector<std::filesystem::path> paths;
    for (const auto& directory : directories) {
        for (const auto& entry : std::filesystem::directory_iterator(directory)) {
            if (entry.is_regular_file()) paths.push_back(entry.path());
        }
    }
    std::ranges::sort(paths);
    std::vector<std::string> corpus;
    for (const auto& path : paths) {
        std::ifstream file(path, std::ios::binary);
        corpus.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    }
    return corpus;
}

class Inputs {
public:
    Inputs(std::vector<std::string> words, std::vector<std::string> corpus)
        : words_(std::move(words)), corpus_(std::move(corpus)), chance_(first_number) {}

    std::string next() {
        // The first byte often says which entry is meant: every value has its turn.
        std::string input(1, static_cast<char>(chance_() % 256));
        if (!corpus_.empty() && chance_() % 2 == 0) input = part_of_corpus();
        const auto words = chance_() % words_max;
        for (std::size_t i = 0; i < words; ++i) input.insert(place_in(input), piece());
        if (chance_() % 4 == 0 && input.size() > 1) input[pick(input.size())] = byte();
        if (chance_() % 8 == 0 && !input.empty()) input.resize(1 + pick(input.size()));
        return input;
    }

private:
    std::size_t pick(std::size_t count) { return chance_() % count; }
    std::string part_of_corpus() {
        const auto& file = corpus_[pick(corpus_.size())];
        return file.substr(0, std::min(file.size(), corpus_piece_bytes_max));
    }
    // Mostly the end: what is put together in order makes more sense.
    std::size_t place_in(const std::string& input) {
        return chance_() % 4 == 0 ? pick(input.size() + 1) : input.size();
    }
    char byte() { return static_cast<char>(chance_() % 256); }
    std::string piece() {
        if (!words_.empty() && chance_() % 8 != 0) {
            auto word = words_[pick(words_.size())];
            if (chance_() % 3 == 0) word += ' ';
            return word;
        }
        return std::string(1 + pick(3), byte());
    }

    std::vector<std::string> words_, corpus_;
    std::mt19937_64 chance_;
};

// What ran when a check failed, as a C string, so that it can be kept in the corpus.
const std::string* running = nullptr;

void show_running(int) {
    std::fputs("the input: \"", stderr);
    for (const char c : *running) std::fprintf(stderr, "\\x%02x", static_cast<unsigned char>(c));
    std::fputs("\"\n", stderr);
    std::signal(SIGABRT, SIG_DFL);
}

void run(const std::string& input) {
    running = &input;
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) return 2;
    const auto corpus = read_corpus({argv + 2, argv + argc});
    auto words = read_words(argv[1]);
    if (words.empty()) {
        std::printf("no words in %s\n", argv[1]);
        return 1;
    }
    std::signal(SIGABRT, show_running);
    for (const auto& input : corpus) run(input);
    Inputs inputs(std::move(words), corpus);
    int count = 0;
    for (std::size_t bytes = 0; count < random_inputs_max && bytes < random_bytes_max; ++count) {
        const auto input = inputs.next();
        run(input);
        bytes += input.size();
    }
    std::printf("%zu inputs of the corpus, %d random ones\n", corpus.size(), count);
}
