// What a reader does with the points: choose axes and colours, move, rest on a point, select. With WebGL and without.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { tmdResult } from "./results.mjs";
import { Scratch, WatchedPage, launch, readNpy } from "./support.mjs";

const scratch = new Scratch();
let points;
let file;
const browsers = {};

before(async () => {
  const result = tmdResult(scratch);
  scratch.itomap("report", "--result", result);
  file = scratch.path(`${result}/report.html`);
  const numbers = readNpy(scratch.path(`${result}/points.npy`));
  points = Array.from({ length: numbers.length / 2 }, (_, i) => [numbers[2 * i], numbers[2 * i + 1]]);
  browsers.webgl = await launch();
  browsers.canvas = await launch({ webgl: false });
});
after(async () => {
  await Promise.all(Object.values(browsers).map((browser) => browser.close()));
  scratch.remove();
});

/// The point that is farthest from all others, so that no other is under the mouse.
function lonelyPoint() {
  let [best, most] = [-1, 0];
  points.forEach(([x, y], i) => {
    const nearest = Math.min(...points.map(([u, v], j) => (i === j || Math.abs(x) > 1.8 || Math.abs(y) > 1.6 ? (i === j ? Infinity : 0) : Math.hypot(x - u, y - v))));
    if (nearest > most) {
      [best, most] = [i, nearest];
    }
  });
  return best;
}

function domainOf(watched, number) {
  return watched.view(number).getAttribute("data-domain").then(JSON.parse);
}

/// Drags the mouse along the corners of an outline in the numbers of a view.
async function drawAround(watched, number, corners) {
  const place = await watched.placeOf(number);
  const pixels = corners.map(([x, y]) => place.pixel(x, y));
  await watched.page.mouse.move(...pixels[0]);
  await watched.page.mouse.down();
  for (const pixel of pixels.slice(1)) {
    await watched.page.mouse.move(...pixel, { steps: 4 });
  }
  await watched.page.mouse.up();
  return place;
}

async function savedNumbers(watched, label) {
  const { name, content } = await watched.download(() => watched.page.getByRole("button", { name: label }).click());
  return { name, numbers: content.toString().trim().split("\n").map(Number) };
}

for (const kind of ["webgl", "canvas"]) {
  test(`${kind}: rests on a point and sees its values`, async () => {
    const watched = await WatchedPage.open(browsers[kind], file);
    assert.equal(await watched.view(0).getAttribute("data-renderer"), kind);
    const i = lonelyPoint();
    const place = await watched.placeOf(0);
    await watched.page.mouse.move(...place.pixel(...points[i]));
    const tip = watched.view(0).locator(".tip");
    await tip.waitFor({ state: "visible" });
    assert.equal(await tip.locator("strong").textContent(), `point ${i}`);
    const cells = (await tip.locator("td").allTextContents()).map((text) => Number(text.replace("−", "-")));
    const psi = ["eigenfunctions", "extrapolated_eigenfunctions", "eigenfunction_errors"].map((name) => {
      const values = readNpy(scratch.path(`tmd/${name}.npy`));
      return values[i * (values.length / points.length) + 1];
    });
    const expected = [...points[i], ...psi];
    assert.equal(cells.length, expected.length);
    cells.forEach((value, k) => assert.ok(Math.abs(value - expected[k]) <= 1e-9 * Math.abs(expected[k]), `${value} is not ${expected[k]}`));
    assert.equal(await watched.view(1).locator(".hovered").count(), 1, "the other view shows the point, too");

    await watched.page.mouse.down();
    await watched.page.mouse.up();
    const pinned = watched.page.locator(".pinned");
    await pinned.waitFor({ state: "visible" });
    const rows = await pinned.locator("tr").allTextContents();
    assert.ok(rows.some((row) => row.startsWith("committor")), "all columns are listed");
    await watched.close();
  });

  test(`${kind}: a lasso selects what is inside`, async () => {
    const watched = await WatchedPage.open(browsers[kind], file);
    await watched.page.getByRole("button", { name: "lasso" }).click();
    const [left, right, low, high] = [-1.5, 0.2, -1.1, 0.7];
    const place = await drawAround(watched, 0, [[left, low], [right, low], [right, high], [left, high], [left, low]]);
    const saved = await savedNumbers(watched, "save as source.txt");
    assert.equal(saved.name, "source.txt");
    // The mouse moves in whole pixels: what lies within two of the outline may fall on either side.
    const pixel = 2 * Math.max((place.domain.right - place.domain.left) / place.box.width, (place.domain.top - place.domain.bottom) / place.box.height);
    const inside = (room) => points.flatMap(([x, y], i) => (x > left - room && x < right + room && y > low - room && y < high + room ? [i] : []));
    const chosen = new Set(saved.numbers);
    const [surely, perhaps] = [inside(-pixel), new Set(inside(pixel))];
    assert.ok(surely.length > 100);
    assert.deepEqual(surely.filter((i) => !chosen.has(i)), []);
    assert.deepEqual(saved.numbers.filter((i) => !perhaps.has(i)), []);
    assert.deepEqual(saved.numbers, [...saved.numbers].sort((a, b) => a - b));
    assert.match(await watched.page.locator(".selection-summary").textContent(), new RegExp(`^${saved.numbers.length} points selected, \\d+`));
    await watched.screenshot(`lasso-${kind}`);

    await watched.page.getByRole("button", { name: "clear" }).click();
    assert.match(await watched.page.locator(".selection-summary").textContent(), /^No points/);
    await watched.close();
  });

  test(`${kind}: zooms with wheel and keys, and comes back`, async () => {
    const watched = await WatchedPage.open(browsers[kind], file);
    const start = await domainOf(watched, 0);
    const place = await watched.placeOf(0);
    await watched.page.mouse.move(...place.pixel(0, 0));
    await watched.page.mouse.wheel(0, -300);
    await watched.page.waitForTimeout(100);
    assert.deepEqual(await domainOf(watched, 0), start, "a wheel scrolls the page until the view was clicked");
    await watched.view(0).focus();
    const width = ([low, high]) => high - low;
    const again = await watched.placeOf(0);
    await watched.page.mouse.move(...again.pixel(0.5, 0.5));
    await watched.page.mouse.wheel(0, -300);
    await watched.page.waitForFunction(([view, before]) => document.querySelectorAll(".view")[view].dataset.domain !== before, [0, JSON.stringify(start)]);
    const zoomed = await domainOf(watched, 0);
    assert.ok(width(zoomed) < 0.9 * width(start));
    assert.ok(zoomed[0] < 0.5 && zoomed[1] > 0.5, "about where the mouse is");
    await watched.page.keyboard.press("-");
    assert.ok(width(await domainOf(watched, 0)) > width(zoomed));
    await watched.page.keyboard.press("ArrowRight");
    await watched.page.keyboard.press("0");
    assert.deepEqual(await domainOf(watched, 0), start);
    await watched.drawn();
    await watched.close();
  });

  test(`${kind}: other axes and colours`, async () => {
    const watched = await WatchedPage.open(browsers[kind], file);
    await watched.page.getByLabel("across").first().selectOption({ label: "ψ₂" });
    await watched.page.getByLabel("coloured by").selectOption({ label: "set" });
    await watched.drawn();
    assert.equal(await watched.view(0).locator(".label").first().textContent(), "ψ₂");
    const psi = readNpy(scratch.path("tmd/eigenfunctions.npy"));
    const second = points.map((_, i) => psi[i * (psi.length / points.length) + 2]);
    const [left, right] = await domainOf(watched, 0);
    assert.ok(left <= Math.min(...second) && right >= Math.max(...second));
    // Two sets, two colours: every strongly coloured pixel is near one of them.
    const strange = await watched.page.evaluate(() => {
      const canvas = document.querySelectorAll(".view canvas")[0];
      const copy = Object.assign(document.createElement("canvas"), { width: canvas.width, height: canvas.height });
      const context = copy.getContext("2d");
      context.drawImage(canvas, 0, 0);
      const { data } = context.getImageData(0, 0, copy.width, copy.height);
      const sets = [[0, 114, 178], [230, 159, 0]];
      let [seen, other] = [[0, 0], 0];
      for (let i = 0; i < data.length; i += 4) {
        if (data[i + 3] > 250) {
          const distances = sets.map((set) => Math.hypot(...set.map((part, k) => part - data[i + k])));
          const nearest = distances[0] < distances[1] ? 0 : 1;
          distances[nearest] < 60 ? seen[nearest]++ : other++;
        }
      }
      return { seen, other };
    });
    assert.ok(strange.seen[0] > 50 && strange.seen[1] > 50, JSON.stringify(strange));
    assert.ok(strange.other < 0.1 * (strange.seen[0] + strange.seen[1]), JSON.stringify(strange));
    await watched.close();
  });
}

test("a selection is what committor takes", async () => {
  const watched = await WatchedPage.open(browsers.webgl, file);
  const panel = watched.page.locator(".selection");
  for (const [low, high, label] of [["", "-0.9", "save as source.txt"], ["0.9", "", "save as sink.txt"]]) {
    await panel.getByLabel("Select where").selectOption({ label: "x₁" });
    await panel.getByRole("spinbutton", { name: "from" }).fill(low);
    await panel.getByRole("spinbutton", { name: "to" }).fill(high);
    await panel.getByRole("button", { name: "select", exact: true }).click();
    const { name, numbers } = await savedNumbers(watched, label);
    const expected = points.flatMap(([x], i) => ((low === "" || x >= Number(low)) && (high === "" || x <= Number(high)) ? [i] : []));
    assert.deepEqual(numbers, expected);
    scratch.csv(name, numbers);
  }
  const answer = JSON.parse(scratch.itomap("committor", "--result", "tmd", "--source", "source.txt", "--sink", "sink.txt", "--out", "passage", "--json"));
  assert.ok(answer.rate > 0);
  assert.equal(answer.source_points, readFileSync(scratch.path("source.txt"), "utf8").trim().split("\n").length);
  await watched.close();
});

test("when WebGL is taken away, the picture comes back without", async () => {
  const watched = await WatchedPage.open(browsers.webgl, file);
  await watched.page.evaluate(() => document.querySelector(".view canvas").getContext("webgl2").getExtension("WEBGL_lose_context").loseContext());
  await watched.page.waitForFunction(() => document.querySelector(".view").dataset.renderer === "canvas");
  await watched.drawn();
  await watched.close();
});
