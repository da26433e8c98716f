// Text from a user's files stays text: names of columns and files, titles and structures cannot become script, and
// what would be a script does not run or reach out.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { randomNumbers } from "./support.mjs";
import { Scratch, WatchedPage, launch } from "./support.mjs";

const image = `<img src=x onerror="window.hacked=1">`;
const script = `</script><script>window.hacked=1</script><!--`;
const drawing = `"><svg onload=window.hacked=1>`;
const address = `javascript:window.hacked=1`;
const scratch = new Scratch();
const uniform = randomNumbers(1);
const rows = Array.from({ length: 300 }, () => [uniform(), uniform()]);
let browser;

before(async () => {
  browser = await launch();
  scratch.csv(`a"b'<svg onload=window.hacked=1>.csv`, rows, [image, script]);
  scratch.csv("values.csv", rows.map(([x, y]) => [x + y, x * y]), [drawing, address]);
  scratch.itomap("dmap", "--points", `a"b'<svg onload=window.hacked=1>.csv`, "--epsilon", "0.01", "--eigs", "3", "--quiet", "--out", `r<img src=x>`);
  scratch.itomap("cluster", "--result", `r<img src=x>`, "--sets", "2", "--quiet");
  mkdirSync(scratch.path("shapes"));
  const pdb = `TITLE     ${script}\nATOM      1  C   LIG A   1       0.000   0.000   0.000  1.00  0.00           C\nATOM      2  O   LIG A   1       1.200   0.000   0.000  1.00  0.00           O\nEND\n`;
  writeFileSync(scratch.path("shapes/set_0.pdb"), pdb);
  scratch.itomap("report", "--result", `r<img src=x>`, "--values", "values.csv", "--title", `${script}${image}`, "--time-unit", image, "--structures", "shapes", "--out", "page.html");
});
after(async () => {
  await browser.close();
  scratch.remove();
});

test("hostile names are shown as they are", async () => {
  const watched = await WatchedPage.open(browser, scratch.path("page.html"));
  const { page } = watched;
  assert.equal(await page.locator("h1").textContent(), `${script}${image}`);
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  assert.equal(await page.locator("body img, body svg[onload], body iframe, body object, body embed").count(), 0);
  for (const name of [image, script, drawing, address]) {
    await page.getByLabel("across").first().selectOption({ label: name });
    await page.getByLabel("coloured by").selectOption({ label: name });
    await watched.drawn();
    assert.equal(await watched.view(0).locator(".label").first().textContent(), name);
  }
  const place = await watched.placeOf(0);
  const { left, right, bottom, top } = place.domain;
  const inside = rows.find(([x, y]) => x * y > left && x * y < right && y > bottom && y < top);
  await page.mouse.move(...place.pixel(inside[0] * inside[1], inside[1]));
  await watched.view(0).locator(".tip").waitFor({ state: "visible" });
  assert.ok((await watched.view(0).locator(".tip").textContent()).includes(address));
  await page.locator("details").evaluateAll((all) => all.forEach((one) => (one.open = true)));
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  await watched.screenshot("hostile");
  await watched.close();
});

test("saved tables neither break nor compute", async () => {
  const watched = await WatchedPage.open(browser, scratch.path("page.html"));
  await watched.page.getByLabel("across").first().selectOption({ label: image });
  await watched.page.getByLabel("up").first().selectOption({ label: script });
  const figure = watched.page.locator("figure[data-figure$='points-1']");
  const { name, content } = await watched.download(() => figure.getByRole("button", { name: "CSV", exact: true }).click());
  assert.match(name, /^[A-Za-z0-9._-]+$/);
  const head = content.toString().split("\n")[0];
  assert.equal(head, `point,"${image.replace(/"/g, '""')}",${script},ψ₁`);
  await watched.close();
});

test("the policy stops scripts, requests and evaluation", async () => {
  const watched = await WatchedPage.open(browser, scratch.path("page.html"));
  const outcome = await watched.page.evaluate(async () => {
    const added = document.createElement("script");
    added.textContent = "window.hacked = 1";
    document.body.append(added);
    const holder = document.createElement("div");
    holder.innerHTML = `<img src="data:," onerror="window.hacked = 1">`;
    document.body.append(holder);
    const reached = await fetch("https://example.org/").then(() => true, () => false);
    const socket = await new Promise((resolve) => {
      try {
        const connection = new WebSocket("wss://example.org/");
        connection.onopen = () => resolve(true);
        connection.onerror = () => resolve(false);
      } catch {
        resolve(false);
      }
    });
    let evaluated = true;
    try {
      globalThis["eval"]("1");
    } catch {
      evaluated = false;
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
    return { hacked: window.hacked, reached, socket, evaluated };
  });
  assert.deepEqual(outcome, { hacked: undefined, reached: false, socket: false, evaluated: false });
  const requests = watched.problems.filter((problem) => problem.startsWith("request:"));
  assert.deepEqual(requests, []);
  watched.problems = []; // each refusal is an error on the console
  await watched.close();
});
