// A result of each kind opens without an error or a request, shows what it has, and fits into every window.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { distanceResult, dmapResult, lineResult, lkdResult, tmdResult, troubledResult } from "./results.mjs";
import { Scratch, WatchedPage, launch } from "./support.mjs";

const scratch = new Scratch();
let browser;
before(async () => {
  browser = await launch();
});
after(async () => {
  await browser.close();
  scratch.remove();
});

/// Colours that are neither grey nor background, in the picture of a view.
async function colored(watched, number) {
  const picture = await watched.view(number).screenshot();
  return watched.page.evaluate(async (bytes) => {
    const bitmap = await createImageBitmap(new Blob([new Uint8Array(bytes)]));
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    const context = canvas.getContext("2d");
    context.drawImage(bitmap, 0, 0);
    const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
    let count = 0;
    for (let i = 0; i < data.length; i += 4) {
      count += Math.max(data[i], data[i + 1], data[i + 2]) - Math.min(data[i], data[i + 1], data[i + 2]) > 40;
    }
    return count;
  }, [...picture]);
}

async function fits(watched) {
  const [content, window] = await watched.page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(content <= window, `${content} pixels wide in a window of ${window}`);
}

const results = { dmap: dmapResult, tmd: tmdResult, lkd: lkdResult, troubled: troubledResult, distances: distanceResult, line: lineResult };
const shows = {
  dmap: ["Diffusion map (dmap)", "first", "itomap dmap --points cloud.csv"],
  tmd: ["One process is slow", "2 sets by PCCA+", "From source to sink", "extrapolated", "share of time"],
  lkd: ["turns once in", "Eigenvalues in the complex plane", "Local kernel diffusion map (lkd)"],
  troubled: ["warning", "fall into", "artefact"],
  distances: ["known by their distances"],
  line: ["in 1 dimension."],
};

for (const [name, make] of Object.entries(results)) {
  test(`a page of ${name}`, async () => {
    const result = make(scratch);
    scratch.itomap("report", "--result", result);
    const file = scratch.path(`${result}/report.html`);
    for (const look of [{}, { dark: true }, { narrow: true }]) {
      const watched = await WatchedPage.open(browser, file, look);
      const text = await watched.page.evaluate(() => document.body.innerText);
      for (const part of shows[name]) {
        assert.ok(text.includes(part), `no "${part}" on the page of ${name}`);
      }
      assert.doesNotMatch(text, /NaN|undefined|\[object/);
      await fits(watched);
      assert.ok((await colored(watched, 0)) > 200, "the first view is empty");
      assert.ok((await colored(watched, 1)) > 200, "the second view is empty");
      assert.equal(await watched.view(0).getAttribute("data-renderer"), "webgl");
      await watched.screenshot(`${name}-${look.dark ? "dark" : look.narrow ? "narrow" : "light"}`);
      await watched.close();
    }
  });
}

test("every link on the page leads somewhere", async () => {
  const watched = await WatchedPage.open(browser, scratch.path("tmd/report.html"));
  const broken = await watched.page.evaluate(() =>
    [...document.querySelectorAll("a[href]")].map((link) => link.getAttribute("href")).filter((href) => !document.querySelector(href)));
  assert.deepEqual(broken, []);
  await watched.close();
});

test("everything that can be pressed is reached by the tab key and has a name", async () => {
  const watched = await WatchedPage.open(browser, scratch.path("tmd/report.html"));
  const nameless = await watched.page.evaluate(() =>
    [...document.querySelectorAll("button, select, input, a, [tabindex]")]
      .filter((element) => element.tabIndex < 0 || !(element.textContent || element.title || element.ariaLabel || element.closest("label")?.textContent))
      .map((element) => element.outerHTML));
  assert.deepEqual(nameless, []);
  await watched.close();
});

test("prints to PDF with its figures and without its buttons", async () => {
  const watched = await WatchedPage.open(browser, scratch.path("tmd/report.html"), { dark: true });
  const pdf = await watched.page.pdf({ format: "A4" });
  assert.ok(pdf.length > 50_000);
  assert.equal(await watched.page.locator("canvas.paper").count(), 0, "what is made for paper goes with it");
  await watched.page.setViewportSize({ width: 700, height: 990 });
  await watched.page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  assert.equal(await watched.page.locator("canvas.paper").count(), 2);
  await watched.page.emulateMedia({ media: "print" });
  assert.equal(await watched.page.locator("button:visible").count(), 0);
  assert.ok(await watched.page.locator("figure svg").first().isVisible());
  assert.equal(await watched.page.locator(".view canvas:visible").count(), 2, "one picture for each view");
  await fits(watched);
  assert.ok((await colored(watched, 0)) > 200, "the points are printed");
  await watched.screenshot("print");
  await watched.page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
  await watched.close();
});
