// The carbons of n-butane as data: frames of 12 numbers, made comparable and thinned out.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "itomap/core/types.hpp"

namespace itomap::reproduce {

/// The chain lying flat and stretched (anti), 12 numbers in nm: what frames are aligned on. Fitting one shape on
/// another has two equally good answers where they differ most, and jumps between them there. Seen from the stretched
/// chain that is the fully eclipsed one, dihedral angle 0, which the molecule avoids; from a gauche frame it would be a
/// barrier that the molecule crosses, and drift and diffusion there would be those of the jump.
Vector stretched_chain();

/// Each run aligned on the stretched chain, frame by frame.
std::vector<Points> aligned(const std::vector<Points>& runs);

/// `count` different frames of the runs, as even in space as they allow: a frame is drawn with probability 1 / (1 + k),
/// k = its kernel sum over some thousand frames, exp(-r^2 / 4 epsilon). Wells lose points, barriers keep all they have.
Points spread_frames(const std::vector<Points>& runs, Index count, double epsilon, std::uint64_t seed);

/// For pictures: each chain turned so that its middle bond lies along x and the first atom points along y. What differs
/// then is the last atom.
Points standing(PointsView chains);

/// One chain as a PDB file, in Angstrom.
std::string chain_pdb(VectorView chain);

}  // namespace itomap::reproduce
