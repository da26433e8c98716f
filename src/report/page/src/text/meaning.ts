// What the words on the page mean, for somebody who has never seen a diffusion map.

export interface Meaning {
  id: string;
  term: string;
  text: string;
}

export const meanings: readonly Meaning[] = [
  {
    id: "map",
    term: "Diffusion map",
    text: "A random walk on your points that imitates a diffusion process: from each point it steps to others nearby, and in the limit of many points and a small ε these steps are those of the process. What is slow in the walk is slow in the process.",
  },
  {
    id: "timescale",
    term: "Time scale",
    text: "How long a process takes to fade to 1/e, about a third, of what it was. A time scale of 40 between two wells means that after 40 units of time a memory of the well it started in is two thirds gone. The unit is that of the process: of drift and diffusion for lkd; for dmap and tmd that of a diffusion with coefficient 1, the square of the unit of length.",
  },
  {
    id: "eigenfunction",
    term: "Eigenfunction ψ",
    text: "Tells a slow process apart: points between which it moves quickly have nearly the same value, points between which it moves rarely have different ones. ψ₁ belongs to the slowest process. Where ψ₁ is negative at one end and positive at the other, the slowest process goes between these ends.",
  },
  {
    id: "gap",
    term: "Spectral gap",
    text: "A large step from one time scale to the next. The modes before it are slow and worth naming; those behind it fade while the slow ones have hardly begun. k slow modes mean k + 1 states in which the process stays for long.",
  },
  {
    id: "pairs",
    term: "Complex pairs",
    text: "A process that is driven around, by a current for instance, turns while it decays: its eigenvalues come in pairs λ = −a ± iω. It fades within 1/a and turns once in 2π/ω. Only the local kernel map (lkd) has them.",
  },
  {
    id: "reference",
    term: "Reference",
    text: "Time scales that are known from elsewhere, from theory, a finer computation or an experiment, and were given with the result to compare with.",
  },
  {
    id: "formulas",
    term: "Two formulas for a time scale",
    text: "The walk takes steps of the time ε and keeps the share μ of a mode at each. The paper reads off the rate (1 − μ)/ε, the logarithm −log(μ)/ε. Both tend to the same as ε shrinks; where they differ, ε is too large for that mode, and the logarithm is usually closer.",
  },
  {
    id: "errors",
    term: "Error bars",
    text: "Noise: how much the time scales change when parts of the data are left out. Bias: how they change when ε is made larger, and on half the points, from which the value at ε = 0 and for many points follows. The page shows one standard deviation of both together. A true value two of these away is nothing unusual.",
  },
  {
    id: "functions",
    term: "Error bars of functions",
    text: "A function has a value at ε = 0 and an error at each point, found like those of time scales: choose “at ε = 0” or “error of” as colour or axis, or rest on a point. Errors are largest where points are few or the process seldom is. Of functions with the same time scale only the plane they span is known, and each of them has a large error.",
  },
  {
    id: "epsilon",
    term: "The scale ε and its plateau",
    text: "How far the kernel exp(−r²/4ε) sees. Too small, and each point sees too few others: noise. Too large, and it sees past what it should resolve: bias. Between the two the time scales hardly change: the plateau, where ε should lie. itomap scale looks for it.",
  },
  {
    id: "spurious",
    term: "Spurious modes",
    text: "A lone outlier, or a far pair of points, is reached so rarely that it looks like a slow process of its own. Such a mode lives on a handful of points, is flagged, and says nothing about the process. A larger ε, leaving the points out (--drop-isolated) or wider kernels in the tails (--bandwidth 0.5) help.",
  },
  {
    id: "connected",
    term: "Parts and isolated points",
    text: "Points that are farther from all others than the kernel reaches cannot be left or entered. Each separate part adds an eigenvalue 0, an infinite time scale: not a slow process but one that was never seen. If the parts should be one, raise ε or sample in between.",
  },
  {
    id: "neighbours",
    term: "Neighbours",
    text: "How many points a kernel covers, on average. Every number of the map is a mean over them: with ten its noise is large, with hundreds small.",
  },
  {
    id: "converged",
    term: "Convergence and residuals",
    text: "The residual says how far a pair is from solving its equation exactly. It measures the solver alone: a small one does not mean that ε or the data are right.",
  },
  {
    id: "weights",
    term: "Stationary weights and effective points",
    text: "φ₀ is how long the process stays at each point in the long run; averages are weighted by it. If the points were sampled where the process seldom is, few of them carry most of the weight, and an average is only as good as their number.",
  },
  {
    id: "density",
    term: "Sampling density q, target π",
    text: "q says where your points are, π where the process is. The target measure map (tmd) needs π and corrects for q: the points may come from anywhere.",
  },
  {
    id: "walls",
    term: "Walls",
    text: "Where the data ends but the density does not, the kernel misses what would lie beyond, and time scales come out too long by something of the order of √ε. Reflecting walls that belong to the process show this error too. The bistochastic normalization (--normalization bistochastic) reflects the process there and leaves an error of the order of ε.",
  },
  {
    id: "traps",
    term: "Traps",
    text: "Points that the process would enter and never leave, usually outliers with an odd drift. It is kept from entering them; look at drift and diffusion there.",
  },
  {
    id: "stranded",
    term: "Steps that leave the data",
    text: "The drift takes a point to where no other is. Check the units of the drift, or take a smaller ε.",
  },
  {
    id: "negligible",
    term: "Points of negligible weight",
    text: "Where the process practically never is, numbers are too small to mean anything. Time scales do not depend on these points, but do not read eigenfunctions there.",
  },
  {
    id: "sets",
    term: "Sets and rates",
    text: "Points with nearly the same values of the slow eigenfunctions form a set in which the process stays for long: a state. Its weight is the share of time spent there, its exit time how long a visit lasts. The arrows of the network are rates: how often, per unit of time, the process goes from one set to another.",
  },
  {
    id: "committor",
    term: "Committor and flux",
    text: "From a point, the chance to reach the sink before the source: 0 at the source, 1 at the sink, ½ where the way is half decided. The flux counts passages from source to sink per unit of time; points with a large share in it lie where the passages squeeze through.",
  },
  {
    id: "embedding",
    term: "Embedding",
    text: "The points with eigenfunctions as coordinates. What is close there is close for the process: it gets from one to the other quickly. States appear as corners or clumps.",
  },
  {
    id: "precision",
    term: "How exact the numbers on this page are",
    text: "Each column is stored as exactly as the size of the page allows: in double precision, in single precision (seven digits), or in steps, 65,534 or 4,094 of them from the smallest to the largest value. Numbers shown have the digits that are right. The numbers of points are always exact. The result directory has everything in double precision.",
  },
  {
    id: "warnings",
    term: "Warnings",
    text: "What the program noticed while it computed, in its own words.",
  },
];
