// A page that leads to reports: pictures, a table of verdicts, and links that open. Made by examples/cpp/report.cpp; the
// page of the paper's examples is made alike, and what it holds is asked by tests/cli/test_reproduce.py.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { Scratch, WatchedPage, launch } from "./support.mjs";

const images = join(dirname(fileURLToPath(import.meta.url)), "../../docs/images");
const pictures = readdirSync(images).filter((name) => name.endsWith(".png")).map((name) => join(images, name));
const scratch = new Scratch();
let browser;

before(async () => {
  browser = await launch();
  execFileSync(process.env.ITOMAP_REPORT_EXAMPLE, pictures, { cwd: scratch.folder });
});
after(async () => {
  await browser.close();
  scratch.remove();
});

for (const look of [{}, { dark: true }, { narrow: true }]) {
  test(`the gallery ${JSON.stringify(look)}`, async () => {
    const watched = await WatchedPage.open(browser, scratch.path("wells.html"), look);
    const { page } = watched;
    await page.waitForFunction(() => [...document.images].every((image) => image.complete));
    assert.equal(await page.evaluate(() => [...document.images].filter((image) => image.naturalWidth <= 100).length), 0);
    assert.equal(await page.locator("img").count(), pictures.length);
    assert.equal(await page.locator("tbody tr").count(), 2);
    assert.deepEqual(await page.locator("tbody .good-text").allTextContents(), ["✓ met"]);
    assert.match(await page.locator("header").textContent(), /1 of 1 requirements are met/);
    const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(content <= window, `${content} pixels wide in a window of ${window}`);
    await watched.screenshot(`gallery-${look.dark ? "dark" : look.narrow ? "narrow" : "light"}`);
    await watched.close();
  });
}

test("its links open reports", async () => {
  const watched = await WatchedPage.open(browser, scratch.path("wells.html"));
  const addresses = await watched.page.locator(".report-link").evaluateAll((links) => links.map((link) => link.getAttribute("href")));
  assert.deepEqual(addresses, ["double_well.html"]);
  await watched.close();
  const report = await WatchedPage.open(browser, scratch.path(addresses[0]));
  assert.equal(await report.page.locator("h1").textContent(), "Double well, beta = 2");
  assert.match(await report.page.locator(".answers").textContent(), /One process is slow/);
  assert.equal(await report.page.locator("circle.node").count(), 2);
  await report.close();
});
