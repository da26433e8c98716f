// itomap lkd: the local kernel diffusion map.
#include <fmt/format.h>

#include "inputs.hpp"
#include "itomap/core/error.hpp"
#include "itomap/io/row_file.hpp"
#include "map_command.hpp"

namespace itomap::cli {
namespace {

constexpr CommandText about_lkd{
    .name = "lkd",
    .summary = "local kernel diffusion map: any drift and diffusion, reversible or not",
    .description =
        R"(Computes the slowest eigenfunctions and time scales of dX = b dt + sigma dW, with A = sigma sigma^T / 2,
from points of any density at which you know b and A. Use it when the noise depends on the place or the
direction, or when the process is not reversible: complex pairs of eigenvalues are rotations, not errors.

    K_ij = exp(-(y_i - x_j)^T (A_i + eta I)^-1 (y_i - x_j) / 4 epsilon)
    y_i = x_i + epsilon b_i
    q = row sums of the isotropic kernel at density_epsilon,   d = 1 / q
    P = diag(K d)^-1 K diag(d),   L = (P - I) / epsilon
    L f  ->  b . grad f + A_ij d_i d_j f
)",
    .usage = "--points FILE --diffusion FILE|A [--drift FILE] [options]",
    .examples = R"(itomap lkd --points x.npy --drift b.npy --diffusion 0.5 --epsilon 0.03
itomap lkd --points run.h5:/x --drift run.h5:/b --diffusion A.npy --out result
)"};

class Lkd final : public MapCommand {
 public:
  const CommandText& text() const override { return about_lkd; }

 private:
  std::vector<Option> own_options() override;
  void read_files(const Array& points) override;
  void define(MapDefinition& map) override;
  void define_blocks(const Array& points, BlockInput& input) override;
  void check_diffusion(PointsView points) const;
  void set_options(MapDefinition& map) const;
  bool takes_distances() const override { return false; }
  std::string_view epsilon_help() const override {
    return "the time step of the kernel, > 0: its width in space is about (epsilon A)^1/2; auto balances bias "
           "and noise of the leading time scales, see itomap scale";
  }

  std::string drift_file_;
  std::string diffusion_text_;
  Scale density_epsilon_ = Scale::balanced();
  double eta_ = MapDefinition{}.eta;
  bool biased_ = false;
  Step step_ = MapDefinition{}.step;
  bool keep_traps_ = false;

  Points drift_;
  std::optional<Diffusion> diffusion_;
};

std::vector<Option> Lkd::own_options() {
  return {
      {"drift", "FILE", Group::Input, "m x N: b at the points; b = 0 unless given", cli::text(drift_file_)},
      {"diffusion", "FILE|A", Group::Input,
       "A = sigma sigma^T / 2: one number, or a file with one number, m (A = a I), m x N (diagonals), m x N x N "
       "(matrices; m x N*N in csv) or N x N (the same everywhere)",
       cli::text(diffusion_text_), true},
      {"eta", "X", Group::Method, "added to the diagonal of A, >= 0, where A comes from noisy estimates",
       real(eta_, Real::NonNegative)},
      {"density-epsilon", "X|auto|steepest", Group::Method,
       "scale of the density estimate, a squared length; auto is chosen along with --epsilon auto, and epsilon times "
       "the median of det(A)^(1/N) for a given epsilon; steepest is where the kernel sum grows fastest",
       cli::scale(density_epsilon_)},
      {"biased", "", Group::Method, "no density correction, d = 1: right for uniform sampling only (Berry and Sauer)",
       flag(biased_)},
      {"step", "euler|heun", Group::Method,
       "how a step begins: x + epsilon b, or x + epsilon (b + P b) / 2, for drifts that turn within it, as in a vortex",
       cli::step(step_)},
      {"keep-traps", "", Group::Method,
       "let the process enter points that would hold it, outliers with hardly another point in reach: the formula to "
       "the letter. Unless given none enters them, and they are named in a warning",
       flag(keep_traps_)},
  };
}

void Lkd::read_files(const Array& points) {
  const auto cloud = points.as_points();
  if (drift_file_.empty()) {
    drift_ = Points::Zero(cloud.rows(), cloud.cols());
  } else {
    drift_ = read_vectors("drift", drift_file_, points).as_points();
  }
  diffusion_ = read_diffusion(diffusion_text_, points);
  check_diffusion(cloud);
}

// The library says which point is wrong; which file it came from is known here.
void Lkd::check_diffusion(PointsView points) const {
  try {
    diffusion_->validate(points.rows(), points.cols(), eta_);
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(fmt::format("{} (--diffusion {}, points counted from 0)", error.what(), diffusion_text_));
  }
}

void Lkd::set_options(MapDefinition& map) const {
  map.method = biased_ ? Method::BiasedLocalKernelMap : Method::LocalKernelMap;
  map.density_epsilon = density_epsilon_;
  map.eta = eta_;
  map.step = step_;
  map.keep_traps = keep_traps_;
}

void Lkd::define_blocks(const Array& points, BlockInput& input) {
  set_options(input.definition);
  input.definition.diffusion = read_diffusion(diffusion_text_, points);
  if (!drift_file_.empty()) {
    input.drift = open_rows(drift_file_);
  }
}

void Lkd::define(MapDefinition& map) {
  set_options(map);
  map.drift = std::move(drift_);
  map.diffusion = std::move(diffusion_);
}

}  // namespace

std::unique_ptr<Command> make_lkd() { return std::make_unique<Lkd>(); }

}  // namespace itomap::cli
