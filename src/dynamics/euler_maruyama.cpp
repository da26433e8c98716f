#include "itomap/dynamics/euler_maruyama.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/parallel.hpp"
#include "core/random.hpp"
#include "itomap/core/error.hpp"

namespace itomap {
using namespace detail;
namespace {

/// Steps of every chain between two looks at the progress callback.
constexpr Index round_steps = 1 << 15;

/// Hashed twice, or seed 1 would repeat the chains of seed 0, one further.
std::uint64_t chain_seed(std::uint64_t seed, Index chain) {
  return RandomStream(RandomStream(seed).next() + std::uint64_t(chain)).next();
}

class Chain {
 public:
  Chain(const ItoSystem& system, const EulerOptions& options, const Vector& start, Index number)
      : system_(system),
        options_(options),
        random_(chain_seed(options.seed, number)),
        state_(start),
        next_(start.size()),
        drift_(start.size()),
        normal_(start.size()),
        noise_(start.size(), start.size()) {}

  /// Takes steps until `end`, counted from the begin of the burn-in; writes what is kept to the rows of `kept`.
  void advance(Index end, Eigen::Ref<Points> kept) {
    for (; taken_ < end && finite_; ++taken_) {
      step();
      const Index after = taken_ + 1 - options_.burn_in;
      if (after > 0 && after % options_.thin == 0 && after / options_.thin <= kept.rows()) {
        kept.row(after / options_.thin - 1) = state_.transpose();
      }
    }
  }

  Index rejected() const { return rejected_; }
  bool finite() const { return finite_; }
  Index steps_taken() const { return taken_; }

 private:
  void step() {
    propose();
    finite_ = next_.allFinite();
    if (options_.box && finite_ && !options_.box->contains(view(next_))) {
      ++rejected_;
    } else {
      state_.swap(next_);
    }
  }

  void propose() {
    system_.drift(view(state_), {drift_.data(), std::size_t(drift_.size())});
    for (Index i = 0; i < normal_.size(); ++i) {
      normal_[i] = random_.normal();
    }
    next_ = state_ + options_.dt * drift_;
    if (!system_.noise) {
      next_ += std::sqrt(2.0 * options_.dt) * normal_;
      return;
    }
    system_.noise(view(state_), {noise_.data(), std::size_t(noise_.size())});
    next_.noalias() += std::sqrt(options_.dt) * (noise_ * normal_);
  }

  static std::span<const double> view(const Vector& x) { return {x.data(), std::size_t(x.size())}; }

  const ItoSystem& system_;
  const EulerOptions& options_;
  RandomStream random_;
  Vector state_, next_, drift_, normal_;
  Points noise_;
  Index taken_ = 0, rejected_ = 0;
  bool finite_ = true;
};

Vector start_of(const ItoSystem& system, const EulerOptions& options, Index chain) {
  if (options.start.rows() == 0) {
    return system.start;
  }
  return options.start.row(options.start.rows() == 1 ? 0 : chain);
}

std::vector<Chain> make_chains(const ItoSystem& system, const EulerOptions& options) {
  std::vector<Chain> chains;
  for (Index c = 0; c < options.chains; ++c) {
    const Vector start = start_of(system, options, c);
    if (options.box && !options.box->contains({start.data(), std::size_t(start.size())})) {
      throw InvalidArgument(fmt::format("start: that of chain {} (counted from 0) lies outside the box; move it", c));
    }
    chains.emplace_back(system, options, start, c);
  }
  return chains;
}

void check_finite(const std::vector<Chain>& chains, const EulerOptions& options) {
  const auto lost = std::ranges::find_if(chains, [](const Chain& chain) { return !chain.finite(); });
  if (lost == chains.end()) {
    return;
  }
  throw InvalidArgument(fmt::format("dt: {:g} is too large: chain {} (counted from 0) left for infinity at step {}; {}",
                                    options.dt, lost - chains.begin(), lost->steps_taken(),
                                    options.box ? "take a smaller one" : "take a smaller one, or give a box"));
}

void check_at_least(Index value, Index least, const char* what) {
  if (value < least) {
    throw InvalidArgument(fmt::format("{}: {} is wrong; it must be >= {}", what, value, least));
  }
}

}  // namespace

void EulerOptions::validate(Index dimension) const {
  if (!(dt > 0.0) || !std::isfinite(dt)) {
    throw InvalidArgument(fmt::format("dt: {:g} is wrong; it must be > 0", dt));
  }
  check_at_least(thin, 1, "thin");
  check_at_least(burn_in, 0, "burn_in");
  check_at_least(chains, 1, "chains");
  if (steps < thin) {
    throw InvalidArgument(
        fmt::format("steps: {} is wrong; with thin = {} it must be >= {} to keep a point", steps, thin, thin));
  }
  if (start.rows() > 0 && (start.cols() != dimension || (start.rows() != 1 && start.rows() != chains))) {
    throw InvalidArgument(fmt::format("start: {} x {} is wrong; give 1 x {} or one row for each of {} chains",
                                      start.rows(), start.cols(), dimension, chains));
  }
  if (!start.allFinite()) {
    throw InvalidArgument("start: it holds NaN or infinity; give finite numbers");
  }
  if (box) {
    box->validate(dimension);
  }
}

Index Simulation::total_rejected() const { return std::accumulate(rejected.begin(), rejected.end(), Index(0)); }

Simulation euler_maruyama(const ItoSystem& system, const EulerOptions& options) {
  const ExecutionScope scope(options.execution);
  options.validate(system.dimension);
  auto chains = make_chains(system, options);
  const Index kept = options.steps / options.thin, total = options.burn_in + options.steps;
  Simulation result{.points = Points(options.chains * kept, system.dimension), .rejected = {}};
  Reporter reporter("simulation");
  for (Index done = 0; done < total;) {
    done = std::min(total, done + round_steps);
    parallel_chunks(options.chains, 1, [&](Index c, Index) {
      chains[std::size_t(c)].advance(done, result.points.middleRows(c * kept, kept));
    });
    check_finite(chains, options);
    reporter.report_or_throw(double(done) / double(total));
  }
  for (const Chain& chain : chains) {
    result.rejected.push_back(chain.rejected());
  }
  result.steps = total * options.chains;
  return result;
}

}  // namespace itomap
