// Every figure as PNG, SVG and CSV: files that others read, with the numbers of the result.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { lkdResult, tmdResult } from "./results.mjs";
import { Scratch, WatchedPage, launch, readNpy } from "./support.mjs";

const scratch = new Scratch();
let browser;

before(async () => {
  browser = await launch();
  for (const result of [tmdResult(scratch), lkdResult(scratch)]) {
    scratch.itomap("scale", "--result", result, "--quiet", "--min", "0.01", "--max", "0.1");
    scratch.itomap("report", "--result", result);
  }
});
after(async () => {
  await browser.close();
  scratch.remove();
});

/// Rows of a table of numbers without quotes, by the names of its columns.
function parseCsv(content) {
  const [head, ...lines] = content.toString().trim().split("\n");
  const names = head.split(",");
  return lines.map((line) => Object.fromEntries(line.split(",").map((value, k) => [names[k], value === "" ? null : Number(value)])));
}

function pngSize(content) {
  assert.equal(content.subarray(1, 4).toString(), "PNG");
  return [content.readUInt32BE(16), content.readUInt32BE(20)];
}

/// What an SVG viewer would say.
function drawingProblems(watched, text) {
  return watched.page.evaluate((source) => {
    const parsed = new DOMParser().parseFromString(source, "image/svg+xml");
    const outside = [...parsed.querySelectorAll("*")].flatMap((element) => [...element.attributes])
      .filter((attribute) => /^(https?:|\/\/|javascript:)/i.test(attribute.value) && !attribute.name.startsWith("xmlns"));
    return [
      ...(parsed.querySelector("parsererror") ? ["not XML"] : []),
      ...(parsed.documentElement.nodeName === "svg" ? [] : ["no svg"]),
      ...(parsed.querySelector("script, foreignObject") ? ["script"] : []),
      ...outside.map((attribute) => attribute.value),
      ...(parsed.querySelectorAll("path, circle, rect, line, image").length > 3 ? [] : ["empty"]),
    ];
  }, text);
}

for (const result of ["tmd", "lkd"]) {
  test(`all figures of ${result}`, async () => {
    const watched = await WatchedPage.open(browser, scratch.path(`${result}/report.html`));
    const figures = await watched.page.locator("figure[data-figure]").all();
    assert.ok(figures.length >= 4);
    for (const figure of figures) {
      const name = await figure.getAttribute("data-figure");
      const save = (kind) => watched.download(() => figure.getByRole("button", { name: kind, exact: true }).click());
      const picture = await save("PNG");
      assert.equal(picture.name, `${name}.png`);
      const [width, height] = pngSize(picture.content);
      assert.ok(width > 600 && height > 300, `${name}: ${width} x ${height}`);
      assert.deepEqual(await drawingProblems(watched, (await save("SVG")).content.toString()), [], name);
      const rows = parseCsv((await save("CSV")).content);
      assert.ok(rows.length > 0, name);
      assert.ok(rows.every((row) => Object.values(row).every((value) => value === null || Number.isFinite(value))), name);
    }
    await watched.close();
  });
}

test("numbers in the files are those of the result", async () => {
  const watched = await WatchedPage.open(browser, scratch.path("tmd/report.html"));
  const csvOf = async (name) => {
    const figure = watched.page.locator(`figure[data-figure="${name}"]`);
    return parseCsv((await watched.download(() => figure.getByRole("button", { name: "CSV", exact: true }).click())).content);
  };
  const result = scratch.json("tmd/result.json");
  for (const row of await csvOf("tmd-timescales")) {
    assert.equal(row.timescale, result.timescales[row.mode]);
    assert.equal(row.timescale_log, result.timescales_log[row.mode]);
    assert.equal(row.lambda_re, result.eigenvalues[row.mode][0]);
    assert.equal(row.timescale_extrapolated, result.error_bars.timescales[row.mode]);
  }
  const points = readNpy(scratch.path("tmd/points.npy"));
  const psi = readNpy(scratch.path("tmd/eigenfunctions.npy"));
  const modes = psi.length / (points.length / 2);
  const rows = await csvOf("tmd-points-1");
  assert.equal(rows.length, points.length / 2);
  rows.forEach((row, i) => assert.deepEqual(Object.values(row), [i, points[2 * i], points[2 * i + 1], psi[modes * i + 1]]));
  const cluster = scratch.json("tmd/cluster.json");
  for (const row of await csvOf("tmd-network")) {
    assert.equal(row.rate, cluster.rate_matrix[row.from][row.to]);
  }
  const scan = scratch.json("tmd/scale.json").scan;
  assert.deepEqual((await csvOf("tmd-scales")).map((row) => row.epsilon), scan.map((row) => row.epsilon));
  await watched.close();
});
