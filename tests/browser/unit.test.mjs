// The parts of the page that need no browser: what it says of a result, and the way from numbers to places and back.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { deflateRawSync, inflateRawSync } from "node:zlib";

async function pageModules() {
  const here = dirname(fileURLToPath(import.meta.url));
  const esbuild = createRequire(join(process.env.ITOMAP_PAGE_MODULES, "package.json"))("esbuild");
  const folder = mkdtempSync(join(tmpdir(), "itomap-unit-"));
  const outfile = join(folder, "page.mjs");
  await esbuild.build({ entryPoints: [join(here, "page_modules.ts")], bundle: true, format: "esm", outfile, nodePaths: [process.env.ITOMAP_PAGE_MODULES], logLevel: "warning" });
  const modules = await import(pathToFileURL(outfile));
  rmSync(folder, { recursive: true });
  return modules;
}

const page = await pageModules();

/// A result with these eigenvalues, all else as it should be.
function resultWith(eigenvalues, more = {}) {
  const real = eigenvalues.map((value) => (Array.isArray(value) ? value : [value, 0]));
  const times = real.map(([re]) => (re < 0 ? -1 / re : null));
  const epsilon = more.epsilon ?? 0.01;
  return {
    version: "0", command: "tmd", parameters: {}, definition: {}, method: "target_measure_map", reversible: true, points: 1000, dimension: 2, epsilon,
    density_epsilon: epsilon, engine: "sparse", plan: { reason: "" }, eigenvalues: real, timescales: times,
    timescales_log: real.map(([re]) => (re < 0 ? -epsilon / Math.log(1 + epsilon * re) : null)),
    rates_log: [], residuals: real.map(() => 1e-10), status: real.map(() => "converged"), spurious: [], effective_points: real.map(() => 300),
    diagnostics: { components: 1, isolated_points: 0, dropped_points: 0, mean_neighbours: 200, warnings: [] }, matvecs: 10, seconds: {}, peak_memory_bytes: 0, ...more,
  };
}

function payloadWith(result, more = {}) {
  return { result, cluster: null, committor: null, scale: null, effective_points: 500, reference_timescales: [], ...more };
}

const levelOf = (checks, meaning) => checks.find((check) => check.meaning === meaning)?.level;

test("the gap lies where time scales drop most, and only if they do", () => {
  const modes = (values) => page.modesOf(resultWith([0, ...values]));
  assert.deepEqual(page.spectralGap(modes([-0.1, -0.12, -3, -4])), { slow: 2, ratio: (1 / 0.12) / (1 / 3) });
  assert.equal(page.spectralGap(modes([-1, -2, -3, -4])), null, "a harmonic well has one state");
  assert.equal(page.spectralGap(modes([-1])), null);
});

test("spurious modes and zeros of other components do not count", () => {
  const modes = page.modesOf(resultWith([0, 0, -0.01, -1, -5], { spurious: [2] }));
  assert.deepEqual(page.trusted(modes).map((mode) => mode.n), [3, 4]);
  assert.deepEqual(page.slowModes(modes).map((mode) => mode.n), [3]);
});

test("reference values belong to the modes that are to be trusted", () => {
  const modes = page.modesOf(resultWith([0, -0.01, -1, [-2, 1], [-2, -1], -5], { spurious: [1] }));
  assert.deepEqual([...page.referenceOf(modes, [10, 20, 30, 40])], [[2, 10], [3, 20], [5, 30]]);
});

test("a complex pair is one process that turns", () => {
  const result = resultWith([0, [-1, 2], [-1, -2], -4]);
  const modes = page.modesOf(result);
  assert.deepEqual(modes.map(({ n, frequency }) => [n, frequency]), [[1, 2], [3, 0]]);
  const [sentence] = page.slowSentences(payloadWith(result));
  assert.match(sentence, /One process is slow: ψ₁ lasts about 1 and turns once in 3\.14/);
});

test("sentences name what is slow, and how long it lasts", () => {
  const bars = { blocks: 5, eigenvalue_errors: [[0, 0], [0.01, 0], [0.1, 0]], extrapolated: [], extrapolated_errors: [], timescales: [null, 2.2, 0.2], timescale_errors: [null, 0.11, 0.01], warnings: [] };
  const [first, second] = page.slowSentences(payloadWith(resultWith([0, -0.5, -5], { error_bars: bars })));
  assert.equal(first, "One process is slow: ψ₁ lasts 2.2 ± 0.11 (units of time).");
  assert.match(page.slowSentences(payloadWith(resultWith([0, -0.5, -5]), { time_unit: "ps" }))[0], /lasts about 2 \(ps\)\./);
  assert.match(second, /at least 11 times faster, within 0\.2\. One slow process means two states/);
});

test("a good result has no warning", () => {
  const checks = page.checksOf(payloadWith(resultWith([0, -0.5, -5])));
  assert.deepEqual(checks.filter((check) => check.level === "warning"), []);
  assert.deepEqual(page.warningsOf(payloadWith(resultWith([0, -0.5, -5])), checks), []);
});

test("each thing that can be wrong is a warning", () => {
  const check = (more, rest) => page.checksOf(payloadWith(resultWith([0, -0.5, -5], more), rest));
  assert.equal(levelOf(check({ status: ["converged", "not converged", "converged"] }), "converged"), "warning");
  assert.equal(levelOf(check({ spurious: [1] }), "spurious"), "warning");
  assert.equal(levelOf(check({ spurious: [2] }), "spurious"), "note", "a fast one does no harm");
  assert.equal(levelOf(check({}, { reference_timescales: [40] }), "reference"), "warning");
  assert.equal(levelOf(check({}, { reference_timescales: [2.05] }), "reference"), "good");
  const diagnostics = { components: 3, isolated_points: 1, dropped_points: 0, mean_neighbours: 200, warnings: [] };
  assert.equal(levelOf(check({ diagnostics }), "connected"), "warning");
  assert.equal(levelOf(check({ diagnostics: { ...diagnostics, mean_neighbours: 4 } }), "neighbours"), "warning");
  assert.equal(levelOf(check({ epsilon: 1.9 }), "formulas"), "warning");
  assert.equal(levelOf(check({}, { effective_points: 12 }), "weights"), "warning");
});

test("walls: a warning, unless the process is reflected or hardly ever there", () => {
  const line = "walls: 12 % of the invariant measure lies where the data ends, next to walls";
  const walls = (normalization, warnings, more = {}) => {
    const diagnostics = { components: 1, isolated_points: 0, dropped_points: 0, mean_neighbours: 200, wall_points: 40, warnings };
    return page.checksOf(payloadWith(resultWith([0, -0.5, -5], { definition: { normalization }, diagnostics, ...more }))).find((check) => check.meaning === "walls");
  };
  assert.equal(walls("paper", [line]).level, "warning");
  assert.match(walls("paper", [line], { error_bars: { power: 0.5, eigenvalue_errors: [], timescales: [], timescale_errors: [] } }).text, /extrapolated ones know/);
  assert.equal(walls("paper", []).level, "good");
  assert.equal(walls("bistochastic", []).level, "good");
  assert.equal(levelOf(page.checksOf(payloadWith(resultWith([0, -0.5, -5]))), "walls"), undefined, "results of earlier versions know nothing of walls");
});

test("functions are judged by their errors, where there are any", () => {
  const level = (error) => levelOf(page.checksOf(payloadWith(resultWith([0, -0.5, -5]), { function_errors: [{ mode: 1, error }, { mode: 2, error: 9 }] })), "functions");
  assert.deepEqual([level(0.03), level(0.2), level(0.5), level(null)], ["good", "note", "warning", "warning"]);
});

test("error bars of functions have names", () => {
  const name = (key, mode, complex) => page.columnName({ key, name: key, mode, group: "error_bar" }, complex);
  assert.equal(name("psi1_limit", 1), "ψ₁ at ε = 0");
  assert.equal(name("psi12_error", 12), "error of ψ₁₂");
  assert.equal(name("psi2_im_error", 2, true), "error of Im ψ₂");
  assert.equal(name("psi2_limit", 2, true), "Re ψ₂ at ε = 0");
  assert.equal(name("committor_error"), "error of committor q⁺");
  assert.equal(name("time_to_sink_limit"), "mean time to the sink at ε = 0");
});

test("epsilon is judged by the scan, if there is one", () => {
  const row = (epsilon, bias, noise) => ({ epsilon, timescales: [1], bias, few_points_bias: 0, noise, neighbours: 9, components: 1, usable: true });
  const scale = { epsilon: 0.02, reason: "", scan: [row(0.08, 0.4, 0.01), row(0.04, 0.2, 0.02), row(0.02, 0.05, 0.03), row(0.01, 0.02, 0.3)] };
  const level = (epsilon) => levelOf(page.checksOf(payloadWith(resultWith([0, -0.5, -5], { epsilon }), { scale })), "epsilon");
  assert.equal(level(0.02), "good");
  assert.equal(level(0.09), "warning");
  assert.equal(level(0.01), "warning");
  assert.equal(level(5), "warning", "nothing is known of a scale beyond the scan");
  assert.deepEqual(page.plateauRows(scale).map(({ epsilon }) => epsilon), [0.02]);
});

test("lines of the program join the check that they belong to, and all have an explanation", () => {
  const lines = ["mode(s) 1 live on a handful of points each and are flagged as spurious", "1 isolated point(s) without a neighbour", "something new"];
  const result = resultWith([0, -0.5, -5], { spurious: [1], diagnostics: { components: 2, isolated_points: 1, dropped_points: 0, mean_neighbours: 99, warnings: lines } });
  const payload = payloadWith(result);
  const warnings = page.warningsOf(payload, page.checksOf(payload));
  assert.deepEqual(warnings.map(({ meaning, lines }) => [meaning, lines.length]), [["spurious", 1], ["connected", 1], ["warnings", 0]]);
  assert.equal(page.sentence("1 isolated point(s) and 25000 mode(s)"), "1 isolated point and 25,000 modes.");
  assert.equal(page.sentence("1 point(s) hold it, 2 point(s) hold it"), "1 point holds it, 2 points hold it.");
  const known = new Set(page.meanings.map(({ id }) => id));
  for (const warning of warnings) {
    assert.ok(known.has(warning.meaning));
  }
});

test("numbers as people read them", () => {
  assert.equal(page.formatted(0.123456), "0.1235");
  assert.equal(page.formatted(12345.6), "12,350");
  assert.equal(page.formatted(-1.5e-7, 2), "−1.5×10⁻⁷");
  assert.equal(page.formatted(null), "∞");
  assert.equal(page.withError(40.234, 1.27), "40.2 ± 1.3");
  assert.equal(page.withError(0.0302, 0.000123), "0.0302 ± 1.2×10⁻⁴");
  assert.equal(page.withError(3, null), "3");
  assert.equal(page.percent(0.5), "50\u202f%");
});

test("values have the digits that are right", () => {
  const steps = { precision: "steps", steps: 65534, low: 0, high: 1, logarithmic: false, whole: false };
  assert.equal(page.exactText(0.123456789, { precision: "double", whole: false }), "0.123456789");
  assert.equal(page.exactText(0.123456789, { precision: "single", whole: false }), "0.1234568");
  assert.equal(page.exactText(0.123456789, steps), "0.12346");
  assert.equal(page.exactText(0.123456789, { ...steps, steps: 4094 }), "0.123");
  assert.equal(page.exactText(NaN, steps), "–");
});

test("the command is quoted as a shell takes it", () => {
  const result = resultWith([0, -1], { parameters: { points: "it's.npy", log_target: "a b.npy", epsilon: 0.1, period: [1, 0], quiet: false, memory: null, force: true } });
  assert.equal(page.commandOf(result), `itomap tmd --points 'it'\\''s.npy' --log-target 'a b.npy' --epsilon 0.1 --period 1,0 --force`);
  assert.equal(page.commandOf({ ...result, command_line: "itomap tmd" }), "itomap tmd");
  assert.equal(page.commandOf({ ...result, command: "python" }), null);
});

test("tables that spreadsheets read and do not compute", () => {
  assert.equal(page.csv(["a,b", '"', "=1+1"], [[1, null, "x"]]), `"a,b","""",'=1+1\n1,,x\n`);
  assert.equal(page.fileName("../ψ: a/b <c>"), "a-b-c");
  assert.equal(page.fileName("..."), "itomap");
});

/// What the page does, or, where Node is older than 20 and streams know no raw deflate, what it has the browser do.
async function inflated(bytes) {
  try {
    new DecompressionStream("deflate-raw");
  } catch {
    return new Uint8Array(inflateRawSync(bytes));
  }
  return page.inflated(bytes);
}

test("columns come back as they were packed", async () => {
  // As src/report/packed_column.cpp does it.
  const pack = (words, size) => {
    let before = 0n;
    const bits = BigInt(8 * size);
    const zigzag = words.map((word) => {
      const difference = BigInt.asIntN(8 * size, word - before);
      before = word;
      return BigInt.asUintN(8 * size, (difference << 1n) ^ (difference >> (bits - 1n)));
    });
    const bytes = Buffer.alloc(words.length * size);
    zigzag.forEach((word, i) => {
      for (let place = 0; place < size; place++) {
        bytes[place * words.length + i] = Number((word >> BigInt(8 * place)) & 255n);
      }
    });
    return deflateRawSync(bytes);
  };
  const ordered = (value, size) => {
    const view = new DataView(new ArrayBuffer(8));
    size === 4 ? view.setFloat32(0, value) : view.setFloat64(0, value);
    const word = size === 4 ? BigInt(view.getUint32(0)) : view.getBigUint64(0);
    const sign = 1n << BigInt(8 * size - 1);
    return word & sign ? BigInt.asUintN(8 * size, ~word) : word | sign;
  };
  const values = [0, -0, 1.5, -2.25, 1e-30, -3e20, NaN, Math.PI];
  for (const [precision, size] of [["single", 4], ["double", 8]]) {
    const packed = pack(values.map((value) => ordered(value, size)), size);
    const found = page.unpackedColumn(await inflated(new Uint8Array(packed)), { precision });
    assert.deepEqual([...found], size === 4 ? [...new Float32Array(values)] : values);
  }
  const info = { precision: "coarse", steps: 4094, low: -1, high: 1, logarithmic: false, whole: false };
  const codes = [1n, 4094n, 4095n, 2000n];
  const steps = page.unpackedColumn(await page.inflated(new Uint8Array(pack(codes, 2))), info);
  assert.deepEqual([...steps].slice(0, 3), [-1, 1, NaN]);
  assert.ok(Math.abs(steps[3] - (-1 + (2 * 1999) / 4093)) < 1e-7);
  const logarithmic = { ...info, low: Math.log(1e-40), high: 0, logarithmic: true };
  assert.deepEqual([...page.unpackedColumn(await page.inflated(new Uint8Array(pack([0n, 4094n], 2))), logarithmic)], [0, 1]);
});

test("from numbers to pixels and back", () => {
  const range = (low, high) => page.axisRange({ range: [low, high], position_range: [low, high] });
  const viewport = new page.Viewport(range(-2, 2), range(0, 1), 400, 300, true);
  const zoom = { k: 3, x: -50, y: 20 };
  const [px, py] = viewport.pixelAt(0.7, 0.3, zoom);
  const [x, y] = viewport.dataAt(px, py, zoom);
  assert.ok(Math.abs(x - 0.7) < 1e-12 && Math.abs(y - 0.3) < 1e-12);
  const camera = viewport.camera(zoom);
  assert.ok(Math.abs(camera.scaleX * viewport.normalisedX(0.7) + camera.offsetX - px / 400) < 1e-12);
  assert.ok(Math.abs(camera.scaleY * viewport.normalisedY(0.3) + camera.offsetY - (1 - py / 300)) < 1e-12);
  const { x: across, y: up } = viewport.domain({ k: 1, x: 0, y: 0 });
  assert.ok(Math.abs((across[1] - across[0]) / 400 - (up[1] - up[0]) / 300) < 1e-12, "a unit is as long across as up");
});

test("outliers do not decide the scale of a picture", () => {
  assert.equal(page.axisRange({ range: [0, 100], position_range: [0, 1] }).cropped, true);
  assert.equal(page.axisRange({ range: [0, 1.2], position_range: [0, 1] }).cropped, false);
  const { start } = page.axisRange({ range: [3, 3], position_range: [3, 3] });
  assert.ok(start[0] < 3 && start[1] > 3);
});

test("the nearest point, and those inside an outline", () => {
  const x = Float32Array.from([0, 1, 2, NaN, 0.5]);
  const y = Float32Array.from([0, 0, 0, 0, 0.5]);
  const index = new page.PointIndex(x, y);
  assert.equal(index.nearest(0.9, 0.05, 1, 1, 0.2), 1);
  assert.equal(index.nearest(0.9, 0.4, 1, 1, 0.2), -1);
  assert.equal(index.nearest(0.9, 0.4, 1, 10, 0.2), 1, "lengths up count a tenth");
  const bent = [[-1, -1], [3, -1], [3, 1.2], [1.5, -0.5], [-1, 1]];
  assert.deepEqual([...page.insideOutline(bent, x, y)], [1, 0, 1, 0, 0]);
  assert.deepEqual([...page.insideOutline([[-0.5, -0.5], [0.7, -0.5], [0.7, 0.7], [-0.5, 0.7]], x, y)], [1, 0, 0, 0, 1]);
  assert.deepEqual([...page.insideOutline([[0, 0], [1, 1]], x, y)], [0, 0, 0, 0, 0]);
});

test("selections add up, and end", () => {
  const selection = new page.Selection();
  let heard = 0;
  selection.changed(() => heard++);
  selection.set(Uint8Array.from([1, 0, 0, 1]));
  selection.add(Uint8Array.from([0, 1, 0, 1]));
  assert.deepEqual(selection.positions(), [0, 1, 3]);
  selection.set(new Uint8Array(4));
  assert.equal(selection.current, null);
  assert.equal(heard, 3);
  assert.deepEqual([...page.between([1, 2, NaN, 3], 2, 3)], [0, 1, 0, 1]);
});

test("colours: what lies outside of the scale gets its ends, what has no value none", () => {
  const places = page.colorPlaces([-5, 0, 5, NaN], { domain: [-1, 1], logarithmic: false, map: "viridis" });
  assert.ok(places[0] > 0 && places[0] < 0.01 && Math.abs(places[1] - 0.5) < 0.01 && places[2] > 0.99 && places[3] === -1);
  const sets = page.colorPlaces([0, 1, -1], { domain: [0, 1], logarithmic: false, map: "sets" });
  const table = page.colorTable("sets", false);
  const hex = (place) => "#" + [0, 1, 2].map((k) => table[4 * Math.floor(place * 256) + k].toString(16).padStart(2, "0")).join("");
  assert.deepEqual([hex(sets[0]), hex(sets[1]), sets[2]], [page.setColor(0), page.setColor(1), -1]);
  assert.equal(page.defaultScale({ positive: true, color_range: [1e-9, 1], group: "weight" }).logarithmic, true);
  assert.deepEqual(page.defaultScale({ color_range: [-1, 3], group: "eigenfunction" }).domain, [-3, 3]);
});

test("the drift between the middles of cells", () => {
  const field = { x: "x1", y: "x2", cells: 2, x_range: [0, 2], y_range: [0, 2], u: [0, 2, 0, 2], v: [1, 1, 3, null] };
  assert.deepEqual(page.driftAt(field, 1, 0.5), [1, 1]);
  assert.deepEqual(page.driftAt(field, 0.5, 1), [0, 2]);
  assert.equal(page.driftAt(field, 1.5, 1.5), null, "no points there");
});
