// Molecules: 3Dmol.js is on the page only where there are structures, draws them, and asks nobody.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { tmdResult } from "./results.mjs";
import { Scratch, WatchedPage, launch } from "./support.mjs";

const scratch = new Scratch();
let browser;

function butane(angle) {
  const turn = (angle * Math.PI) / 180;
  const atoms = [[1.4, 1.0, 0], [0.77, 0, 0], [-0.77, 0, 0], [-1.4, Math.cos(turn), Math.sin(turn)]];
  const lines = atoms.map(([x, y, z], k) =>
    `ATOM  ${String(k + 1).padStart(5)}  C${k + 1}  BUT A   1    ${[x, y, z].map((v) => v.toFixed(3).padStart(8)).join("")}  1.00  0.00           C`);
  return `${lines.join("\n")}\nEND\n`;
}

before(async () => {
  browser = await launch();
  tmdResult(scratch, 400);
  mkdirSync(scratch.path("shapes"));
  [180, 60].forEach((angle, k) => writeFileSync(scratch.path(`shapes/set_${k}.pdb`), butane(angle)));
  scratch.itomap("report", "--result", "tmd", "--out", "plain.html");
  scratch.itomap("report", "--result", "tmd", "--structures", "shapes", "--out", "shapes.html");
});
after(async () => {
  await browser.close();
  scratch.remove();
});

test("a structure for each set", async () => {
  const watched = await WatchedPage.open(browser, scratch.path("shapes.html"));
  const places = watched.page.locator(".molecule");
  assert.equal(await places.count(), 2);
  await places.first().scrollIntoViewIfNeeded();
  await places.first().locator("canvas").waitFor();
  await watched.page.waitForTimeout(500);
  const saved = await watched.download(() => watched.page.getByRole("button", { name: "PDB" }).first().click());
  assert.equal(saved.name, "set-0.pdb");
  assert.equal(saved.content.toString(), butane(180));
  assert.match(await watched.page.locator(".licences").evaluate((element) => element.textContent), /3dmol .*BSD-3-Clause/);
  await watched.screenshot("structures");
  await watched.close();
});

test("without structures there is no 3Dmol.js", async () => {
  const plain = scratch.read("plain.html").toString();
  assert.ok(!plain.includes("3Dmol.createViewer") && plain.length + 400_000 < scratch.read("shapes.html").length);
  const watched = await WatchedPage.open(browser, scratch.path("plain.html"));
  assert.equal(await watched.page.evaluate(() => typeof window.$3Dmol), "undefined");
  const licences = await watched.page.locator(".licences").evaluate((element) => element.textContent);
  for (const library of ["d3-zoom", "d3-scale", "kdbush"]) {
    assert.match(licences, new RegExp(`${library} \\d`));
  }
  assert.doesNotMatch(licences, /3dmol/);
  await watched.close();
});

test("without WebGL a page with structures still opens", async () => {
  const watched = await WatchedPage.open(browser, scratch.path("shapes.html"), { refuseWebgl: true });
  assert.equal(await watched.view(0).getAttribute("data-renderer"), "canvas");
  await watched.page.locator(".molecule").first().scrollIntoViewIfNeeded();
  await watched.page.getByText("which this browser does not offer").first().waitFor();
  await watched.close();
});
