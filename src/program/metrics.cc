#include "program/metrics.h"

#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>

#include <algorithm>
#include <limits>
#include <map>
#include <mutex>
#include <sstream>

namespace mailroom::program {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using prometheus::MetricType;

// From a read out of memory to the longest an answer may take.
constexpr std::int64_t bucket_bounds_ns[Metrics::Route::buckets] = {
    50'000,      100'000,       250'000,       500'000,        1'000'000,   2'500'000,
    5'000'000,   10'000'000,    25'000'000,    50'000'000,     100'000'000, 250'000'000,
    500'000'000, 1'000'000'000, 5'000'000'000, 30'000'000'000,
};
constexpr double ns_per_second = 1e9;
// From a local relay to the end of all retries.
constexpr std::int64_t long_bounds_ms[Metrics::Histogram::buckets] = {
    10,     50,     100,     500,     1'000,     2'500,      5'000,      10'000,
    30'000, 60'000, 300'000, 900'000, 3'600'000, 14'400'000, 86'400'000, 259'200'000,
};

double as_double(std::uint64_t value) { return static_cast<double>(value); }

std::vector<ClientMetric::Label> to_labels(const Metrics::Labels& labels) {
    std::vector<ClientMetric::Label> result;
    for (const auto& [name, value] : labels) result.push_back({name, value});
    return result;
}

struct Source {
    Metrics::Labels labels;
    std::function<double()> read;
};

struct Family {
    std::string help;
    MetricType type;
    std::vector<Source> sources;
};

}  // namespace

void Metrics::Route::record(int status, std::chrono::nanoseconds took) {
    const auto status_class = static_cast<std::size_t>(std::clamp(status / 100, 1, 5) - 1);
    const auto bucket = std::ranges::lower_bound(bucket_bounds_ns, took.count());
    const auto index = static_cast<std::size_t>(bucket - std::begin(bucket_bounds_ns));
    by_class_[status_class].fetch_add(1, std::memory_order_relaxed);
    by_duration_[index].fetch_add(1, std::memory_order_relaxed);
    total_ns_.fetch_add(static_cast<std::uint64_t>(took.count()), std::memory_order_relaxed);
}

void Metrics::Histogram::record(std::chrono::milliseconds took) {
    const auto ms = std::max<std::int64_t>(0, took.count());
    const auto bucket = std::ranges::lower_bound(long_bounds_ms, ms);
    by_duration_[bucket - std::begin(long_bounds_ms)].fetch_add(1, std::memory_order_relaxed);
    total_ms_.fetch_add(static_cast<std::uint64_t>(ms), std::memory_order_relaxed);
}

class Metrics::Impl {
public:
    Histogram& histogram(const std::string& name, const std::string& help) {
        const std::lock_guard lock(mutex_);
        auto& [text, histogram] = histograms_[name];
        text = help;
        return histogram;
    }

    Route& route(const std::string& listener, const std::string& name) {
        const std::lock_guard lock(mutex_);
        return routes_[{listener, name}];
    }

    void add(MetricType type, std::string name, std::string help, Source source) {
        const std::lock_guard lock(mutex_);
        const auto family =
            families_.try_emplace(std::move(name), Family{std::move(help), type, {}}).first;
        family->second.sources.push_back(std::move(source));
    }

    std::string text() const {
        std::ostringstream out;
        prometheus::TextSerializer().Serialize(out, collect());
        return out.str();
    }

private:
    std::vector<MetricFamily> collect() const {
        const std::lock_guard lock(mutex_);
        std::vector<MetricFamily> result{requests(), durations()};
        for (const auto& [name, family] : families_) {
            MetricFamily collected{name, family.help, family.type, {}};
            for (const auto& source : family.sources) {
                ClientMetric metric;
                metric.label = to_labels(source.labels);
                const double value = source.read();
                (family.type == MetricType::Counter ? metric.counter.value : metric.gauge.value) =
                    value;
                collected.metric.push_back(std::move(metric));
            }
            result.push_back(std::move(collected));
        }
        for (const auto& [name, described] : histograms_) {
            result.push_back(collect(name, described.first, described.second));
        }
        return result;
    }

    static MetricFamily collect(const std::string& name, const std::string& help,
                                const Histogram& source) {
        ClientMetric metric;
        auto& histogram = metric.histogram;
        histogram.sample_sum = as_double(source.total_ms_.load(std::memory_order_relaxed)) / 1000;
        for (std::size_t i = 0; i <= Histogram::buckets; ++i) {
            histogram.sample_count += source.by_duration_[i].load(std::memory_order_relaxed);
            const double bound = i < Histogram::buckets
                                     ? static_cast<double>(long_bounds_ms[i]) / 1000
                                     : std::numeric_limits<double>::infinity();
            histogram.bucket.push_back({histogram.sample_count, bound});
        }
        return {name, help, MetricType::Histogram, {std::move(metric)}};
    }

    MetricFamily requests() const {
        MetricFamily family{
            "mailroom_http_requests_total", "Requests answered.", MetricType::Counter, {}};
        for (const auto& [names, route] : routes_) {
            for (std::size_t i = 0; i < std::size(route.by_class_); ++i) {
                const auto count = route.by_class_[i].load(std::memory_order_relaxed);
                if (count == 0) continue;
                ClientMetric metric;
                metric.label = to_labels({{"listener", names.first},
                                          {"route", names.second},
                                          {"status", std::to_string(i + 1) + "xx"}});
                metric.counter.value = as_double(count);
                family.metric.push_back(std::move(metric));
            }
        }
        return family;
    }

    MetricFamily durations() const {
        MetricFamily family{"mailroom_http_request_duration_seconds",
                            "From the handler's call to its answer.",
                            MetricType::Histogram,
                            {}};
        for (const auto& [names, route] : routes_) {
            ClientMetric metric;
            metric.label = to_labels({{"listener", names.first}, {"route", names.second}});
            auto& histogram = metric.histogram;
            histogram.sample_sum =
                as_double(route.total_ns_.load(std::memory_order_relaxed)) / ns_per_second;
            for (std::size_t i = 0; i <= Route::buckets; ++i) {
                histogram.sample_count += route.by_duration_[i].load(std::memory_order_relaxed);
                const double bound = i < Route::buckets
                                         ? static_cast<double>(bucket_bounds_ns[i]) / ns_per_second
                                         : std::numeric_limits<double>::infinity();
                histogram.bucket.push_back({histogram.sample_count, bound});
            }
            if (histogram.sample_count > 0) family.metric.push_back(std::move(metric));
        }
        return family;
    }

    mutable std::mutex mutex_;
    std::map<std::pair<std::string, std::string>, Route> routes_;
    std::map<std::string, Family> families_;
    std::map<std::string, std::pair<std::string, Histogram>> histograms_;
};

Metrics::Metrics() : impl_(std::make_unique<Impl>()) {}
Metrics::~Metrics() = default;

Metrics::Route& Metrics::route(const std::string& listener, const std::string& name) {
    return impl_->route(listener, name);
}

void Metrics::counter(std::string name, std::string help, Labels labels,
                      std::function<double()> read) {
    impl_->add(MetricType::Counter, std::move(name), std::move(help),
               {std::move(labels), std::move(read)});
}

void Metrics::gauge(std::string name, std::string help, Labels labels,
                    std::function<double()> read) {
    impl_->add(MetricType::Gauge, std::move(name), std::move(help),
               {std::move(labels), std::move(read)});
}

Metrics::Histogram& Metrics::histogram(const std::string& name, const std::string& help) {
    return impl_->histogram(name, help);
}

std::string Metrics::text() const { return impl_->text(); }

}  // namespace mailroom::program
