// A plane flow on a regular grid: its stream function, its vortices, and the zone inside its separating streamline.
//
// A mean velocity (u, v) without divergence has a stream function s with u = ds/dy and v = -ds/dx, whose level sets are
// the flow lines. It is found from the velocity alone, by least squares over all pairs of neighbouring grid points
// outside the body: no path of integration is preferred, and what divergence the measurement has is averaged out.
//
// A vortex is an extremum of s surrounded by closed flow lines. Its region is what the last closed one encloses: flood
// s from the extremum until the water reaches the edge of the window. Walls are flow lines, so water does not leave
// through the body.
//
// Behind a bluff body the flow lines that leave its upper and its lower edge meet in a point at rest, downstream of the
// two large vortices. They are the separating streamline; inside is the recirculation zone. It is traced upstream from
// that point, a direction in which neighbouring flow lines approach it, through the velocity itself: the thin layers at
// the edges of the body, where s is least accurate, do not matter.
#pragma once

#include <vector>

#include "itomap/core/types.hpp"

namespace itomap::reproduce {

/// Row-major: point (column i, row j) has index j * columns + i; x grows with i, y with j.
struct PlaneFlow {
  Index columns = 0;
  Index rows = 0;
  double step = 0.0;       // between neighbouring points, the same in both directions
  Points points{};         // m x 2
  Points velocity{};       // m x 2; not used where `body`
  std::vector<bool> body;  // m: points that are not in the fluid

  Index size() const { return columns * rows; }
};

/// s at all points, NaN inside the body, 0 at the first point of the fluid. Throws NumericalError if the body divides
/// the window in two.
Vector stream_function(const PlaneFlow& flow);

struct Vortex {
  Index centre = 0;          // where s is extremal
  bool clockwise = false;    // s has a minimum there: u > 0 above the centre
  double level = 0.0;        // s on the last closed flow line
  std::vector<bool> inside;  // m
  Index area = 0;            // points inside
};

/// The largest vortex of each sense of rotation: clockwise first. Throws InvalidArgument if there is none.
std::vector<Vortex> largest_vortices(const PlaneFlow& flow, VectorView stream);

struct SeparatingStreamline {
  Index rest = 0;  // the point of the grid closest to where the two branches meet
  Points upper;    // k x 2, from there upstream
  Points lower;
};

SeparatingStreamline separating_streamline(const PlaneFlow& flow, const std::vector<Vortex>& vortices);

/// Points of the fluid between the two branches.
std::vector<bool> recirculation_zone(const PlaneFlow& flow, const SeparatingStreamline& line);

/// Intersection over union of two sets of points.
double overlap(const std::vector<bool>& a, const std::vector<bool>& b);

}  // namespace itomap::reproduce
