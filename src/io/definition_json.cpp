#include "io/definition_json.hpp"

#include <fmt/format.h>

#include <limits>
#include <vector>

#include "itomap/core/error.hpp"

namespace itomap::detail {
namespace {

constexpr Index most = std::numeric_limits<Index>::max();

/// One of several names, by the function that knows them.
template <class Parser>
auto choice_of(const ResultEntry& entry, const Parser& parse, std::string_view choices) {
  try {
    return parse(entry.text());
  } catch (const InvalidArgument&) {
    entry.refuse(fmt::format("is none of the {}", choices));
  }
}

Method method_of(const ResultEntry& entry) { return choice_of(entry, method_from_string, "methods"); }
Engine engine_of(const ResultEntry& entry) { return choice_of(entry, engine_from_string, "engines"); }

std::vector<double> numbers_of(const ResultEntry& entry) {
  std::vector<double> numbers;
  for (const ResultEntry& number : entry.list()) {
    numbers.push_back(number.number());
  }
  return numbers;
}

VariableBandwidth bandwidth_of(const ResultEntry& entry) {
  entry.check_keys({"strength", "neighbours", "dimension"});
  return {.strength = entry.at("strength").number(),
          .neighbours = entry.at("neighbours").count(0, most),
          .dimension = entry.at("dimension").count(0, most)};
}

/// The format from which on a definition says how it is normalised, how a step begins, and how many landmarks there
/// are.
constexpr Index format_with_choices = 3;

KernelOptions kernel_of(const ResultEntry& entry, Index format) {
  std::vector<std::string_view> keys{"engine", "cutoff", "period", "single_precision"};
  if (format >= format_with_choices) {
    keys.insert(keys.end(), {"landmarks", "landmark_error"});
  }
  entry.check_keys(keys);
  KernelOptions options{.engine = engine_of(entry.at("engine")),
                        .cutoff = entry.at("cutoff").number(),
                        .period = numbers_of(entry.at("period")),
                        .single_precision = entry.at("single_precision").flag()};
  if (format >= format_with_choices) {
    options.landmarks = entry.at("landmarks").count(0, most);
    options.landmark_error = entry.at("landmark_error").positive();
  }
  return options;
}

/// The fields that every method has, then its own, then those that formats brought.
std::vector<std::string_view> keys_of(const MapDefinition& d, Index format) {
  std::vector<std::string_view> keys{"method", "epsilon", "bandwidth", "drop_isolated", "kernel"};
  if (d.method == Method::DiffusionMap) {
    keys.push_back("alpha");
  }
  if (d.local()) {
    keys.insert(keys.end(), {"density_epsilon", "eta", "keep_traps"});
  }
  if (format >= format_with_choices) {
    keys.insert(keys.end(), {"normalization", "distances"});
    if (d.local()) {
      keys.emplace_back("step");
    }
  }
  return keys;
}

constexpr const char* all_distances = "all";
constexpr const char* listed_distances = "listed";

}  // namespace

Json to_json(const MapDefinition& d) {
  Json json;
  json["method"] = to_string(d.method);
  if (!d.distances.empty()) {
    json["distances"] = d.distances.is_listed() ? listed_distances : all_distances;
  }
  json["epsilon"] = d.epsilon.value();
  if (d.local()) {
    json["density_epsilon"] = d.density_epsilon.value();
    json["eta"] = d.eta;
    json["step"] = to_string(d.step);
    json["keep_traps"] = d.keep_traps;
  }
  if (d.method == Method::DiffusionMap) {
    json["alpha"] = d.alpha;
  }
  json["normalization"] = to_string(d.normalization);
  json["bandwidth"] = {
      {"strength", d.bandwidth.strength}, {"neighbours", d.bandwidth.neighbours}, {"dimension", d.bandwidth.dimension}};
  json["drop_isolated"] = d.drop_isolated;
  json["kernel"] = {{"engine", to_string(d.kernel.engine)},
                    {"cutoff", d.kernel.cutoff},
                    {"period", d.kernel.period},
                    {"single_precision", d.kernel.single_precision},
                    {"landmarks", d.kernel.landmarks},
                    {"landmark_error", d.kernel.landmark_error}};
  return json;
}

MapDefinition from_json(const ResultEntry& entry, Index format) {
  MapDefinition d;
  d.method = method_of(entry.at("method"));
  entry.check_keys(keys_of(d, format));
  d.epsilon = entry.at("epsilon").positive();
  if (d.local()) {
    d.density_epsilon = entry.at("density_epsilon").positive();
    d.eta = entry.at("eta").number();
    d.keep_traps = entry.at("keep_traps").flag();
  }
  if (d.method == Method::DiffusionMap) {
    d.alpha = entry.at("alpha").number();
  }
  if (format >= format_with_choices) {
    d.normalization = choice_of(entry.at("normalization"), normalization_from_string, "normalizations");
    if (d.local()) {
      d.step = choice_of(entry.at("step"), step_from_string, "steps");
    }
  }
  d.bandwidth = bandwidth_of(entry.at("bandwidth"));
  d.drop_isolated = entry.at("drop_isolated").flag();
  d.kernel = kernel_of(entry.at("kernel"), format);
  return d;
}

StoredCloud stored_cloud(const ResultEntry& definition) {
  const auto entry = definition.find("distances");
  if (!entry) {
    return StoredCloud::Points;
  }
  const std::string text = entry->text();
  if (text != all_distances && text != listed_distances) {
    entry->refuse("is neither all nor listed");
  }
  return text == all_distances ? StoredCloud::AllDistances : StoredCloud::ListedDistances;
}

MapDefinition from_first_format(const ResultEntry& result) {
  const ResultEntry parameters = result.at("parameters");
  const auto flag = [&](const char* key, bool otherwise) {
    const auto entry = parameters.find(key);
    return entry ? entry->flag() : otherwise;
  };
  MapDefinition d;
  d.method = method_of(result.at("method"));
  d.epsilon = result.at("epsilon").positive();
  if (d.local()) {
    d.density_epsilon = result.at("density_epsilon").positive();
    d.eta = parameters.at("eta").number();
    d.keep_traps = flag("keep_traps", true);  // results that do not say were made so
  }
  if (d.method == Method::DiffusionMap) {
    d.alpha = parameters.at("alpha").number();
  }
  if (const auto strength = parameters.find("bandwidth"); strength && strength->number() != 0.0) {
    d.bandwidth = {.strength = strength->number(),
                   .neighbours = parameters.at("bandwidth_neighbours").count(0, most),
                   .dimension = result.at("bandwidth").at("dimension").count(1, most)};
  }
  d.drop_isolated = flag("drop_isolated", false);
  d.kernel.engine = engine_of(result.at("engine"));
  d.kernel.cutoff = parameters.at("cutoff").number();
  d.kernel.single_precision = flag("single", false);
  if (const auto period = parameters.find("period")) {
    d.kernel.period = numbers_of(*period);
  }
  return d;
}

}  // namespace itomap::detail
