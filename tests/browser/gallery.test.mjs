// The page of the paper's examples: pictures, tables, and links to reports that open.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Scratch, WatchedPage, launch } from "./support.mjs";

const scratch = new Scratch();
let browser;

before(async () => {
  browser = await launch();
  scratch.itomap("reproduce", "temperature-switch", "--seeds", "1", "--out", "paper", "--quiet");
});
after(async () => {
  await browser.close();
  scratch.remove();
});

for (const look of [{}, { dark: true }, { narrow: true }]) {
  test(`the gallery ${JSON.stringify(look)}`, async () => {
    const watched = await WatchedPage.open(browser, scratch.path("paper/index.html"), look);
    const { page } = watched;
    const broken = await page.evaluate(() => [...document.images].filter((image) => !(image.complete && image.naturalWidth > 100)).length);
    assert.equal(broken, 0);
    assert.ok((await page.locator("img").count()) >= 4);
    const verdicts = scratch.json("paper/verdict.json");
    assert.equal(await page.locator("tbody tr").count(), verdicts.length);
    const met = verdicts.filter((verdict) => verdict.pass).length;
    assert.equal(await page.locator(".good-text").count(), met);
    const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(content <= window, `${content} pixels wide in a window of ${window}`);
    await watched.screenshot(`gallery-${look.dark ? "dark" : look.narrow ? "narrow" : "light"}`);
    await watched.close();
  });
}

test("its links open reports", async () => {
  const watched = await WatchedPage.open(browser, scratch.path("paper/index.html"));
  const addresses = await watched.page.locator(".report-link").evaluateAll((links) => links.map((link) => link.getAttribute("href")));
  assert.equal(addresses.length, 2);
  await watched.close();
  for (const address of addresses) {
    const report = await WatchedPage.open(browser, scratch.path(`paper/${address}`));
    assert.match(await report.page.locator("h1").textContent(), /TMDmap at beta/);
    assert.ok(await report.page.locator("path.reference").count() > 0, "reference values are drawn");
    await report.close();
  }
});
