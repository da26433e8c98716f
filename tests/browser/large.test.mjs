// Ten thousand points, and a million: the size of the file, and a picture. Times are told, not judged: they are those of
// the machine.
import assert from "node:assert/strict";
import { statSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { Scratch, WatchedPage, launch, randomNumbers } from "./support.mjs";

const scratch = new Scratch();
let browser;

before(async () => {
  browser = await launch();
  const uniform = randomNumbers(9);
  const cloud = Array.from({ length: 200 }, () => [uniform(), uniform()]);
  scratch.csv("x.csv", cloud);
  scratch.csv("log_pi.csv", cloud.map(([x]) => -x));
  scratch.itomap("tmd", "--points", "x.csv", "--log-target", "log_pi.csv", "--epsilon", "0.05", "--eigs", "10", "--quiet", "--out", "small");
});
after(async () => {
  await browser.close();
  scratch.remove();
});

/// A result directory as one of so many points would be: cosines on a square, which is what its eigenfunctions are.
function resultOf(count) {
  const result = scratch.json("small/result.json");
  const modes = result.eigenvalues.length;
  const uniform = randomNumbers(count);
  const points = new Float64Array(2 * count).map(uniform);
  const functions = new Float64Array(modes * count);
  const target = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    const [x, y] = [points[2 * i], points[2 * i + 1]];
    for (let n = 0; n < modes; n++) {
      functions[modes * i + n] = Math.cos(Math.PI * (n % 4) * x) * Math.cos(Math.PI * Math.floor(n / 4) * y);
    }
    target[i] = -x;
  }
  scratch.npy("small/points.npy", points, [count, 2]);
  scratch.npy("small/eigenfunctions.npy", functions, [count, modes]);
  scratch.npy("small/log_target.npy", target, [count]);
  scratch.npy("small/stationary.npy", target.map((value) => Math.exp(value) / count), [count]);
  scratch.npy("small/density.npy", target.map((value, i) => 1 + 0.1 * Math.cos(9 * points[2 * i])), [count]);
  writeFileSync(scratch.path("small/result.json"), JSON.stringify({ ...result, points: count }));
}

for (const [count, megabytes] of [[10_000, 1.5], [1_000_000, 25]]) {
  test(`${count} points`, async (context) => {
    resultOf(count);
    scratch.itomap("report", "--result", "small", "--force");
    const file = scratch.path("small/report.html");
    const size = statSync(file).size / 1e6;
    assert.ok(size < megabytes, `${size} MB`);
    const begin = Date.now();
    const watched = await WatchedPage.open(browser, file, { ready: false });
    await watched.page.waitForFunction(() => performance.getEntriesByName("first picture").length > 0);
    const first = await watched.page.evaluate(() => performance.getEntriesByName("first picture")[0].startTime);
    await watched.drawn();
    context.diagnostic(`${size.toFixed(1)} MB; first picture after ${Math.round(first)} ms, whole after ${Date.now() - begin} ms`);
    const left = await watched.page.evaluate(() => JSON.parse(document.getElementById("data").textContent).left_out);
    assert.deepEqual(left, []);
    const place = await watched.placeOf(0);
    await watched.page.mouse.move(...place.pixel(0.5, 0.5));
    await watched.view(0).locator(".tip").waitFor({ state: "visible" });
    await watched.screenshot(`points-${count}`);
    await watched.close();
  });
}
