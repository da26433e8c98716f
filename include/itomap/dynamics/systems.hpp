// Itô systems to try things on: the two potentials of the paper, and others that show what these have not.
//
// A system is dX = b(X) dt + sigma(X) dW with diffusion A = sigma sigma^T / 2 and generator
// L f = b . grad f + A_ij d_i d_j f, so that plain noise sqrt(2) dW is A = I. Systems with a potential U follow the
// paper's reversible dynamics (its eq. SDE_ergodic) with target pi proportional to exp(-beta U):
//
//   dX = -beta grad U dt + sqrt(2) dW,      L f = Laplacian f - beta grad U . grad f.
//
// Here beta multiplies the drift and the noise stays as it is. Physicists write dX = -grad U dt + sqrt(2 / beta) dW,
// which has the same pi and the same eigenfunctions, but runs beta times slower: its eigenvalues are those of L / beta.
//
//   double-well          U = (x^2 - 1)^2 + y^2; two wells, first example of the paper
//   temperature-switch   U = (x^2 - 1)^2 / 2 + (1 + a(x)) (y^2 - 1)^2, a(x) = (1 + 5 exp(-20 x^2))^2 / 5; four wells;
//                        a narrow pass along x, a barrier along y: which is slower depends on beta (eq. pot_switch)
//   ornstein-uhlenbeck   U = |x|^2 / 2 in any dimension; eigenvalues -beta n
//   rotating             the same in the plane, and a rotation: b = -beta x + 2 beta (-y, x); not reversible;
//                        eigenvalues -beta (n + k) +- 2 beta i (n - k); pi as if it did not rotate
//   ring                 U = (|x|^2 - 1)^2 with A = I/4 + x x^T/2, which differs from place to place;
//                        b = -beta A grad U + div A keeps pi and detailed balance
//   mueller-brown        U of Müller and Brown (1979), three wells behind bent valleys; try beta = 0.1
//
//   const auto system = itomap::make_system("double-well", {.beta = 6.0});
//   const Vector log_pi = itomap::log_target_at(system, points);
//   const Points b = itomap::drift_at(system, points);
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "itomap/core/types.hpp"
#include "itomap/kernel/diffusion.hpp"

namespace itomap {

/// low <= x <= high in each of the N coordinates.
struct Box {
  Vector low;
  Vector high;

  bool contains(std::span<const double> x) const;
  /// Throws InvalidArgument unless both have `dimension` finite numbers and low < high.
  void validate(Index dimension) const;

  /// |x_i| <= half_width in all coordinates.
  static Box cube(Index dimension, double half_width);
};

/// log pi at x, up to a constant.
using LogDensity = std::function<double(std::span<const double> x)>;
/// Writes N numbers (drift) or the N x N numbers of a matrix, row by row (noise), for the place x.
using Field = std::function<void(std::span<const double> x, std::span<double> values)>;

struct ItoSystem {
  std::string name;
  std::string summary;  ///< one line for a list
  Index dimension = 0;
  double beta = 1.0;
  Field drift;            ///< b
  Field noise{};          ///< sigma, N x N; none: sigma = sqrt(2) I, A = I
  LogDensity log_target;  ///< of the invariant density; none where it is not known
  bool reversible = true;
  Box box;       ///< pi is below 4e-10 of its maximum outside: leaving it is a failure of the time step
  Vector start;  ///< where a run begins if nobody says otherwise: a well
};

struct SystemOptions {
  std::optional<double> beta{};      ///< > 0; unset: the system's own choice
  std::optional<Index> dimension{};  ///< >= 1; for ornstein-uhlenbeck, 2 if unset; fixed for the others
};

struct SystemInfo {
  std::string name;
  std::string summary;
  double beta = 1.0;  ///< if SystemOptions says nothing
};

/// All built-in systems.
std::vector<SystemInfo> list_systems();

/// Throws InvalidArgument for an unknown name or options that do not fit.
ItoSystem make_system(const std::string& name, const SystemOptions& options = {});

/// A reversible system of your own, from log pi and its gradient, with A = I. `box` and `start` as in ItoSystem.
ItoSystem gradient_system(std::string name, LogDensity log_target, Field gradient, Box box, Vector start);

/// At each of the m points; InvalidArgument if the dimension is wrong or the system has no log_target.
Vector log_target_at(const ItoSystem& system, PointsView points);
Points drift_at(const ItoSystem& system, PointsView points);
/// As local_kernel_map takes it: one number where A = I, otherwise a matrix for each point.
Diffusion diffusion_at(const ItoSystem& system, PointsView points);

}  // namespace itomap
