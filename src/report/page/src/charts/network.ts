// Sets as a network: circles as large as their weight, arrows as wide as their rates.
import type { Cluster, Maybe } from "../data/payload";
import { svg } from "../dom";
import { formatted, percent } from "../text/format";
import { setColor } from "../scatter/colors";

interface Node {
  x: number;
  y: number;
  radius: number;
}

function number(value: Maybe | undefined): number {
  return value ?? 0;
}

/// On a circle, the heaviest on the left; two of them side by side.
function layout(cluster: Cluster, width: number, height: number): Node[] {
  const count = cluster.points.length;
  const largest = Math.max(...cluster.stationary.map(number), 1e-300);
  const room = Math.min(46, (0.8 * Math.min(width, height)) / Math.max(3, count));
  return cluster.points.map((_, k) => {
    const angle = Math.PI + (2 * Math.PI * k) / count;
    const radius = Math.max(13, room * Math.sqrt(number(cluster.stationary[k]) / largest));
    return {
      x: width / 2 + (Math.min(width / 2 - 90, 260)) * Math.cos(angle),
      y: height / 2 + (count === 2 ? 0 : (height / 2 - 74) * Math.sin(angle)),
      radius,
    };
  });
}

/// Bent to its left, so that the way back has room; ends at the rim of the circles.
function arrowPath(from: Node, to: Node, width: number): { path: string; middle: { x: number; y: number } } {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy) || 1;
  const [ux, uy] = [dx / length, dy / length];
  const bend = Math.min(34, 0.22 * length);
  const [mx, my] = [(from.x + to.x) / 2 + bend * uy, (from.y + to.y) / 2 - bend * ux];
  const rim = (node: Node, extra: number) => {
    const [ex, ey] = [mx - node.x, my - node.y];
    const size = Math.hypot(ex, ey) || 1;
    return [node.x + ((node.radius + extra) * ex) / size, node.y + ((node.radius + extra) * ey) / size] as const;
  };
  const [ax, ay] = rim(from, 2);
  const head = 5 + 1.6 * width;
  const [bx, by] = rim(to, 3 + head);
  return { path: `M${ax},${ay}Q${mx},${my} ${bx},${by}`, middle: { x: mx, y: my } };
}

function arrowHead(to: Node, from: { x: number; y: number }, width: number): string {
  const [ex, ey] = [from.x - to.x, from.y - to.y];
  const size = Math.hypot(ex, ey) || 1;
  const [ux, uy] = [ex / size, ey / size];
  const [tx, ty] = [to.x + (to.radius + 3) * ux, to.y + (to.radius + 3) * uy];
  const long = 5 + 1.6 * width;
  const wide = 3 + 1.1 * width;
  const [bx, by] = [tx + long * ux, ty + long * uy];
  return `M${tx},${ty}L${bx + wide * uy},${by - wide * ux}L${bx - wide * uy},${by + wide * ux}Z`;
}

export interface Rate {
  from: number;
  to: number;
  rate: number;
}

export function ratesOf(cluster: Cluster): Rate[] {
  const rates: Rate[] = [];
  cluster.rate_matrix.forEach((row, from) => row.forEach((rate, to) => {
    if (from !== to && number(rate) > 0) {
      rates.push({ from, to, rate: number(rate) });
    }
  }));
  return rates;
}

/// Arrows that carry next to nothing beside the strongest would only hide the others.
const leastShare = 1e-3;

export function drawNetwork(cluster: Cluster, width: number): SVGSVGElement {
  const height = cluster.points.length <= 2 ? 230 : 380;
  const nodes = layout(cluster, width, height);
  const drawing = svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", class: "network" });
  const rates = ratesOf(cluster);
  const largest = Math.max(...rates.map((rate) => rate.rate), 1e-300);
  for (const { from, to, rate } of rates.filter((rate) => rate.rate > leastShare * largest)) {
    const thickness = 1 + 3.5 * Math.sqrt(rate / largest);
    const { path, middle } = arrowPath(nodes[from]!, nodes[to]!, thickness);
    const title = `from set ${from} to set ${to}: rate ${formatted(rate, 3)}, once in ${formatted(1 / rate, 3)}`;
    drawing.append(
      svg("path", { class: "arrow", d: path, "stroke-width": thickness, fill: "none" }, svg("title", {}, title)),
      svg("path", { class: "arrow-head", d: arrowHead(nodes[to]!, middle, thickness) }),
      svg("text", { class: "rate", x: middle.x, y: middle.y + 4, "text-anchor": "middle" }, formatted(rate, 2)),
    );
  }
  nodes.forEach((node, k) => {
    const weight = number(cluster.stationary[k]);
    const below = node.y + node.radius + 15;
    drawing.append(
      svg("circle", { class: "node", cx: node.x, cy: node.y, r: node.radius, fill: setColor(k) }, svg("title", {}, `set ${k}: ${percent(weight)} of the time`)),
      svg("text", { class: "node-name", x: node.x, y: node.y + 5, "text-anchor": "middle" }, String(k)),
      svg("text", { class: "note", x: node.x, y: below, "text-anchor": "middle" }, `${percent(weight)} of the time`),
      svg("text", { class: "note", x: node.x, y: below + 15, "text-anchor": "middle" }, `a visit lasts ${formatted(cluster.exit_times[k] ?? null, 3)}`),
    );
  });
  drawing.setAttribute("aria-label", `${nodes.length} sets and the rates between them`);
  return drawing;
}
