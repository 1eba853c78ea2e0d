// Runs a fuzzer's entry without libFuzzer: inputs are put together at random from the words of its
// dictionary and from raw bytes. The same seed gives the same inputs.
//
//   fuzz_NAME NAME.dict [SEED] [INPUTS]

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <string>
#include <string_view>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

constexpr std::uint64_t default_inputs = 20'000;  // Some seconds under ASan+UBSan.
constexpr std::size_t words_max = 24;

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

class Inputs {
public:
    Inputs(std::vector<std::string> words, std::uint64_t seed)
        : words_(std::move(words)), chance_(seed) {}

    std::string next() {
        // The first byte often says which entry is meant: every value has its turn.
        std::string input(1, static_cast<char>(chance_() % 256));
        const auto words = chance_() % words_max;
        for (std::size_t i = 0; i < words; ++i) input += piece();
        if (chance_() % 4 == 0 && input.size() > 1) input[pick(input.size())] = byte();
        if (chance_() % 8 == 0) input.resize(1 + pick(input.size()));
        return input;
    }

private:
    std::size_t pick(std::size_t count) { return chance_() % count; }
    char byte() { return static_cast<char>(chance_() % 256); }
    std::string piece() {
        if (!words_.empty() && chance_() % 8 != 0) {
            auto word = words_[pick(words_.size())];
            if (chance_() % 3 == 0) word += ' ';
            return word;
        }
        return std::string(1 + pick(3), byte());
    }

    std::vector<std::string> words_;
    std::mt19937_64 chance_;
};

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) return 2;
    const auto seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
    const auto count = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : default_inputs;
    auto words = read_words(argv[1]);
    if (words.empty()) {
        std::printf("no words in %s\n", argv[1]);
        return 1;
    }
    Inputs inputs(std::move(words), seed);
    for (std::uint64_t i = 0; i < count; ++i) {
        const auto input = inputs.next();
        LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
    }
    std::printf("%llu inputs of seed %llu\n", static_cast<unsigned long long>(count), seed);
}
