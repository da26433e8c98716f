// itomap dmap: the standard diffusion map.

#include "map_command.hpp"

namespace itomap::cli {
namespace {

constexpr CommandText about_dmap{
    .name = "dmap",
    .summary = "standard diffusion map: the process that the sampling density dictates",
    .description =
        R"(Computes the slowest eigenfunctions and time scales of the process that lives where the points are dense.
Use it when the points sample the equilibrium you want (alpha = 0.5) or when only the geometry of the data
matters (alpha = 1). If they were sampled with a bias, or you know drift and diffusion, use tmd or lkd.

    K_ij = exp(-|x_i - x_j|^2 / 4 epsilon),   q = K 1,   d = q^-alpha
    P = diag(K d)^-1 K diag(d),   L = (P - I) / epsilon
    L f  ->  Laplacian f + (2 - 2 alpha) grad f . grad log q
)",
    .usage = "--points FILE [options]",
    .examples = R"(itomap dmap --points x.npy
itomap dmap --points angles.csv --period 360,360 --alpha 1 --out result
itomap dmap --distances rmsd.npy --out result
)"};

class Dmap final : public MapCommand {
 public:
  const CommandText& text() const override { return about_dmap; }

 private:
  std::vector<Option> own_options() override {
    return {{"alpha", "A", Group::Method,
             "how much of the sampling density is divided out, any real number: 0 none, 0.5 overdamped Langevin "
             "dynamics in log q, 1 all of it (Laplace-Beltrami)",
             real(alpha_, Real::Any)}};
  }
  void read_files(const Array&) override {}
  void define(MapDefinition& map) override {
    map.method = Method::DiffusionMap;
    map.alpha = alpha_;
  }
  void define_blocks(const Array& /*points*/, BlockInput& input) override { define(input.definition); }

  double alpha_ = MapDefinition{}.alpha;
};

}  // namespace

std::unique_ptr<Command> make_dmap() { return std::make_unique<Dmap>(); }

}  // namespace itomap::cli
