// A result of each method, small enough for a test and with everything that a page shows.
import { normalNumbers, randomNumbers } from "./support.mjs";

function points(count, make) {
  return Array.from({ length: count }, (_, i) => make(i));
}

/// Normal points, which are an Ornstein-Uhlenbeck process to dmap.
export function dmapResult(scratch, count = 800) {
  const normal = normalNumbers(1);
  scratch.csv("cloud.csv", points(count, () => [normal(), 1.5 * normal()]), ["first", "second"]);
  scratch.itomap("dmap", "--points", "cloud.csv", "--epsilon", "0.05", "--eigs", "5", "--drop-isolated", "--out", "dmap", "--quiet");
  return "dmap";
}

/// Points spread evenly over a double well, with error bars, sets, and the passage from left to right.
export function tmdResult(scratch, count = 1500) {
  const uniform = randomNumbers(2);
  const cloud = points(count, () => [4.4 * uniform() - 2.2, 4 * uniform() - 2]);
  scratch.csv("wells.csv", cloud);
  scratch.csv("log_pi.csv", cloud.map(([x, y]) => -2 * ((x * x - 1) ** 2 + y * y)));
  scratch.itomap("tmd", "--points", "wells.csv", "--log-target", "log_pi.csv", "--epsilon", "0.02", "--eigs", "4", "--error-bars", "4",
                 "--out", "tmd", "--quiet");
  const near = (middle) => cloud.flatMap(([x, y], i) => (Math.hypot(x - middle, y) < 0.4 ? [i] : []));
  scratch.csv("left.txt", near(-1));
  scratch.csv("right.txt", near(1));
  scratch.itomap("cluster", "--result", "tmd", "--sets", "2", "--quiet");
  scratch.itomap("committor", "--result", "tmd", "--source", "left.txt", "--sink", "right.txt", "--quiet");
  return "tmd";
}

/// A flow that turns around the origin: complex pairs.
export function lkdResult(scratch, count = 1200) {
  const normal = normalNumbers(3);
  const cloud = points(count, () => [normal(), normal()]);
  scratch.csv("turning.csv", cloud);
  scratch.csv("drift.csv", cloud.map(([x, y]) => [-x - 2 * y, 2 * x - y]));
  scratch.itomap("lkd", "--points", "turning.csv", "--drift", "drift.csv", "--diffusion", "1", "--epsilon", "0.05", "--density-epsilon", "0.05",
                 "--eigs", "6", "--out", "lkd", "--quiet");
  return "lkd";
}

/// Two clouds that the kernel does not join, and an outlier.
export function troubledResult(scratch, count = 400) {
  const normal = normalNumbers(4);
  const cloud = points(count, (i) => [0.3 * normal() + (i % 2 ? 6 : -6), 0.3 * normal()]);
  cloud.push([0, 5], [0.05, 5.02], [20, -3]);
  scratch.csv("troubled.csv", cloud);
  scratch.itomap("dmap", "--points", "troubled.csv", "--epsilon", "0.01", "--eigs", "4", "--out", "troubled", "--quiet");
  return "troubled";
}

/// Distances instead of points: no coordinates.
export function distanceResult(scratch, count = 150) {
  const angles = points(count, (i) => (2 * Math.PI * i) / count);
  scratch.csv("distances.csv", angles.map((a) => angles.map((b) => 2 * Math.abs(Math.sin((a - b) / 2)))));
  scratch.itomap("dmap", "--distances", "distances.csv", "--epsilon", "0.01", "--eigs", "4", "--out", "distances", "--quiet");
  return "distances";
}

/// Points on a line.
export function lineResult(scratch, count = 300) {
  const normal = normalNumbers(5);
  scratch.csv("line.csv", points(count, () => normal()));
  scratch.itomap("dmap", "--points", "line.csv", "--epsilon", "0.05", "--eigs", "3", "--drop-isolated", "--out", "line", "--quiet");
  return "line";
}
