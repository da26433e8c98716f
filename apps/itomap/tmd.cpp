// itomap tmd: the target measure diffusion map.
#include "inputs.hpp"
#include "itomap/core/error.hpp"
#include "itomap/io/row_file.hpp"
#include "map_command.hpp"

namespace itomap::cli {
namespace {

constexpr CommandText about_tmd{
    .name = "tmd",
    .summary = "target measure diffusion map: reversible dynamics in a density you name",
    .description =
        R"(Computes the slowest eigenfunctions and time scales of dX = grad log pi dt + sqrt(2) dW from points that
need not be samples of pi: biased, unconverged or at another temperature, as long as they cover where pi
lives. You supply log pi at the points, up to a constant; the density q that they were drawn from cancels.
stationary.npy holds weights that turn sums over the points into averages over pi.

    K_ij = exp(-|x_i - x_j|^2 / 4 epsilon),   q = K 1,   d = pi^1/2 / q
    P = diag(K d)^-1 K diag(d),   L = (P - I) / epsilon
    L f  ->  Laplacian f + grad log pi . grad f
)",
    .usage = "--points FILE (--log-target FILE | --target FILE) [options]",
    .examples = R"(itomap tmd --points x.npy --log-target log_pi.npy --epsilon 0.01 --out result
itomap tmd --points run.npz:x --log-target run.npz:log_pi --eigs 4 --json
)"};

class Tmd final : public MapCommand {
 public:
  const CommandText& text() const override { return about_tmd; }

 private:
  std::vector<Option> own_options() override {
    return {{"log-target", "FILE", Group::Input, "m numbers: log pi at the points, up to a constant, such as -beta U",
             cli::text(log_target_file_)},
            {"target", "FILE", Group::Input, "m numbers > 0: pi itself, up to a factor; instead of --log-target",
             cli::text(target_file_)}};
  }
  void check_options() const override {
    if (log_target_file_.empty() == target_file_.empty()) {
      throw InvalidArgument("tmd needs exactly one of --log-target FILE and --target FILE; see itomap tmd --help");
    }
  }
  void read_files(const Array& points) override {
    log_target_ = log_target_file_.empty() ? read_log_of_target(target_file_, points)
                                           : Vector(read_values("log-target", log_target_file_, points).as_vector());
  }
  void define(MapDefinition& map) override {
    map.method = Method::TargetMeasureMap;
    map.log_target = std::move(log_target_);
  }
  void define_blocks(const Array& /*points*/, BlockInput& input) override {
    input.definition.method = Method::TargetMeasureMap;
    input.target_is_density = log_target_file_.empty();
    input.target = open_rows(input.target_is_density ? target_file_ : log_target_file_);
  }

  std::string log_target_file_;
  std::string target_file_;
  Vector log_target_;
};

}  // namespace

std::unique_ptr<Command> make_tmd() { return std::make_unique<Tmd>(); }

}  // namespace itomap::cli
