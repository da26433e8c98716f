// What the charts draw is what the result says: time scales, the plane, the scan, the network, the committor, the drift.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { lkdResult, tmdResult } from "./results.mjs";
import { Scratch, WatchedPage, launch } from "./support.mjs";

const scratch = new Scratch();
let browser;

before(async () => {
  browser = await launch();
  tmdResult(scratch);
  scratch.itomap("scale", "--result", "tmd", "--quiet", "--min", "0.01", "--max", "0.1");
  scratch.csv("known.txt", [2.6, 0.25]);
  scratch.itomap("report", "--result", "tmd", "--reference", "known.txt");
  lkdResult(scratch);
  scratch.itomap("report", "--result", "lkd");
});
after(async () => {
  await browser.close();
  scratch.remove();
});

async function withPage(result, ask) {
  const watched = await WatchedPage.open(browser, scratch.path(`${result}/report.html`));
  await ask(watched, (name) => watched.page.locator(`figure[data-figure="${result}-${name}"] svg`));
  await watched.close();
}

/// Centres of circles, upwards.
function heights(drawing, selector) {
  return drawing.locator(selector).evaluateAll((circles) => circles.map((circle) => -Number(circle.getAttribute("cy"))));
}

test("time scales: a mark for each, as high as they are long, with their bars, references and the gap", () =>
  withPage("tmd", async (watched, figure) => {
    const drawing = figure("timescales");
    const { timescales, error_bars: bars } = scratch.json("tmd/result.json");
    const times = timescales.slice(1);
    // On a logarithmic axis heights are a line in log t.
    const found = await heights(drawing, "g > circle.paper[cx]:has(title)");
    assert.equal(found.length, times.length);
    const slope = (found[0] - found[3]) / Math.log(times[0] / times[3]);
    found.forEach((height, n) => assert.ok(Math.abs(found[0] - height - slope * Math.log(times[0] / times[n])) < 0.01));
    const limits = await heights(drawing, "circle.limit:has(title)");
    assert.ok(Math.abs(found[0] - limits[0] - slope * Math.log(times[0] / bars.timescales[1])) < 0.01);
    assert.equal(await drawing.locator("path.bar.paper").count(), times.length);
    assert.equal(await drawing.locator("path.reference:has(title)").count(), 2);
    assert.equal(await drawing.locator("rect.gap").count(), 1);
    assert.match(await drawing.textContent(), /gap: a factor of \d/);
  }));

test("complex eigenvalues lie in the plane, each with its conjugate", () =>
  withPage("lkd", async (watched, figure) => {
    const places = await figure("eigenvalues").locator("circle, path.spurious").evaluateAll((marks) =>
      marks.map((mark) => ({ x: Number(mark.getAttribute("cx")), y: Number(mark.getAttribute("cy")), pair: mark.classList.contains("limit") })));
    const { eigenvalues } = scratch.json("lkd/result.json");
    const [re, im] = eigenvalues.at(-1);
    eigenvalues.push(...(im > 0 ? [[re, -im]] : [])); // the list may end within a pair
    assert.equal(places.length, eigenvalues.length);
    const pairs = places.filter(({ pair }) => pair);
    assert.equal(pairs.length, eigenvalues.filter(([, im]) => im !== 0).length);
    assert.ok(pairs.length >= 2);
    for (const { x, y } of pairs) {
      const middle = places[0].y; // of the eigenvalue 0
      assert.ok(pairs.some((other) => Math.abs(other.x - x) < 0.01 && Math.abs(other.y + y - 2 * middle) < 0.01));
    }
  }));

test("the scan: every time scale at every scale, and the choice among them", () =>
  withPage("tmd", async (watched, figure) => {
    const { scan } = scratch.json("tmd/scale.json");
    const times = scan.flatMap((row) => row.timescales.filter((time) => time !== null && time > 0));
    const drawing = figure("scales");
    assert.equal(await drawing.locator("circle:has(title)").count(), times.length);
    assert.equal(await drawing.locator("line.choice").count(), 1);
    assert.match(await drawing.textContent(), /ε = 0\.02 of this result/);
  }));

test("the network: sets as circles, both rates as arrows", () =>
  withPage("tmd", async (watched, figure) => {
    const { rate_matrix: rates } = scratch.json("tmd/cluster.json");
    const drawing = figure("network");
    assert.equal(await drawing.locator("circle.node").count(), 2);
    const titles = await drawing.locator("path.arrow title").allTextContents();
    assert.equal(titles.length, 2);
    for (const [from, to] of [[0, 1], [1, 0]]) {
      const text = titles.find((title) => title.startsWith(`from set ${from} to set ${to}`));
      assert.ok(Math.abs(Number(/rate ([\d.]+)/.exec(text)[1]) / rates[from][to] - 1) < 0.01, text);
    }
  }));

test("the committor: a bar for each of its values that occurs, and the flux beside a level", () =>
  withPage("tmd", async (watched, figure) => {
    const { weight, flux } = await watched.page.evaluate(() => JSON.parse(document.getElementById("data").textContent).committor_histogram);
    const shown = await figure("committor").locator("rect.histogram").count();
    assert.ok(shown > 20 && shown <= weight.filter((share) => share > 0).length);
    const bars = await figure("flux").locator("rect.flux").evaluateAll((all) => all.map((bar) => Number(bar.getAttribute("height"))));
    const positive = flux.filter((share) => share > 0);
    assert.equal(bars.length, positive.length);
    const scale = Math.max(...bars) / Math.max(...positive);
    bars.forEach((height, k) => assert.ok(Math.abs(height - scale * positive[k]) < 0.01));
    assert.equal(await figure("flux").locator("path.level").count(), 1);
  }));

test("the drift as arrows that turn with the flow, as stream lines, or not at all", () =>
  withPage("lkd", async (watched) => {
    const place = await watched.placeOf(0);
    const [ox, oy] = place.pixel(0, 0);
    const drift = watched.view(0).locator("path.drift");
    const turning = async () => {
      // From the first two corners of each arrow: which way it goes around the origin.
      const path = await drift.getAttribute("d");
      const box = await watched.view(0).locator("canvas").boundingBox();
      const tails = [...path.matchAll(/M([-\d.]+),([-\d.]+)L([-\d.]+),([-\d.]+)/g)].map((found) => found.slice(1).map(Number));
      assert.ok(tails.length > 20);
      const sense = tails.map(([x, y, u, v]) => (box.x + x - ox) * (v - y) - (box.y + y - oy) * (u - x));
      return sense.filter((value) => value < 0).length / sense.length; // upwards is negative on a screen
    };
    assert.ok((await turning()) > 0.95, "counterclockwise, as -x - 2y, 2x - y goes");
    const arrows = await drift.getAttribute("d");
    await watched.page.getByLabel("drift").selectOption({ label: "stream lines" });
    assert.notEqual(await drift.getAttribute("d"), arrows);
    assert.ok((await drift.getAttribute("d")).length > 500);
    await watched.screenshot("stream-lines");
    await watched.page.getByLabel("drift").selectOption({ label: "not shown" });
    assert.equal(await drift.count(), 0);
  }));

test("error bars of functions: below the value under the mouse, and as colour", () =>
  withPage("tmd", async (watched) => {
    await watched.page.getByLabel("coloured by").selectOption({ label: "error of ψ₁" });
    await watched.drawn();
    await watched.page.getByLabel("coloured by").selectOption({ label: "ψ₁" });
    await watched.drawn();
    const place = await watched.placeOf(0);
    const [x, y] = scratch.read("wells.csv").toString().split("\n")[7].split(",").map(Number);
    await watched.page.mouse.move(...place.pixel(x, y));
    await watched.view(0).locator(".tip").waitFor({ state: "visible" });
    const names = await watched.view(0).locator(".tip th").allTextContents();
    assert.deepEqual(names, ["x₁", "x₂", "ψ₁", "ψ₁ at ε = 0", "error of ψ₁"]);
  }));
