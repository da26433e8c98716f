// What the tests of the page share: results made by the program itself, a browser, and a page that is watched.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

const { chromium } = createRequire(join(process.env.ITOMAP_BROWSER_MODULES, "package.json"))("playwright-core");

const screenshots = process.env.ITOMAP_SCREENSHOTS;

/// Numbers from 0 to 1, the same each time (Mulberry32).
export function randomNumbers(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export function normalNumbers(seed) {
  const uniform = randomNumbers(seed);
  return () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
}

/// A folder of its own for a file of tests, with the program run inside it.
export class Scratch {
  constructor() {
    this.folder = mkdtempSync(join(tmpdir(), "itomap-browser-"));
  }

  path(name) {
    return join(this.folder, name);
  }

  remove() {
    rmSync(this.folder, { recursive: true, force: true });
  }

  itomap(...words) {
    return execFileSync(process.env.ITOMAP, words, { cwd: this.folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  }

  csv(name, rows, headings) {
    const lines = rows.map((row) => (Array.isArray(row) ? row.join(",") : String(row)));
    writeFileSync(this.path(name), [...(headings ? [headings.join(",")] : []), ...lines].join("\n") + "\n");
    return name;
  }

  text(name, content) {
    writeFileSync(this.path(name), content);
    return name;
  }

  read(name) {
    return readFileSync(this.path(name));
  }

  json(name) {
    return JSON.parse(this.read(name).toString());
  }

  /// float64 in C order.
  npy(name, values, shape) {
    const dictionary = `{'descr': '<f8', 'fortran_order': False, 'shape': (${shape.join(", ")}${shape.length === 1 ? "," : ""}), }`;
    const header = dictionary.padEnd(Math.ceil((dictionary.length + 11) / 64) * 64 - 11) + "\n";
    const start = Buffer.alloc(10);
    start.write("\x93NUMPY\x01\x00", "latin1");
    start.writeUInt16LE(header.length, 8);
    const data = Float64Array.from(values);
    writeFileSync(this.path(name), Buffer.concat([start, Buffer.from(header, "latin1"), Buffer.from(data.buffer)]));
    return name;
  }
}

/// Numbers of a float64 array that the program wrote.
export function readNpy(file) {
  const bytes = readFileSync(file);
  const length = bytes.readUInt16LE(8);
  const data = bytes.subarray(10 + length);
  return new Float64Array(data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength));
}

/// Milliseconds that a busy machine may take for anything at all; nothing is judged by it.
const patience = 180_000;

const quietFlags = [
  "--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
  "--disable-sync",
];

/// With software WebGL, or with none at all.
export function launch({ webgl = true } = {}) {
  const graphics = webgl ? ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"] : ["--disable-gpu", "--disable-3d-apis"];
  return chromium.launch({ executablePath: process.env.ITOMAP_CHROMIUM, args: [...quietFlags, ...graphics], timeout: patience });
}

/// A page that notes everything that must not happen: errors, dialogs, requests for anything but itself.
export class WatchedPage {
  static async open(browser, file, { dark = false, narrow = false, ready = true, refuseWebgl = false } = {}) {
    const context = await browser.newContext({
      viewport: narrow ? { width: 390, height: 844 } : { width: 1280, height: 900 },
      colorScheme: dark ? "dark" : "light",
      hasTouch: narrow,
      acceptDownloads: true,
      reducedMotion: "reduce",
    });
    context.setDefaultTimeout(patience);
    if (refuseWebgl) {
      await context.addInitScript(() => {
        const getContext = HTMLCanvasElement.prototype.getContext;
        HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
          return kind.includes("webgl") ? null : getContext.call(this, kind, ...more);
        };
      });
    }
    const watched = new WatchedPage(context, await context.newPage());
    watched.address = `file://${file}`;
    await watched.page.goto(watched.address);
    if (ready) {
      await watched.drawn();
    }
    return watched;
  }

  constructor(context, page) {
    this.context = context;
    this.page = page;
    this.problems = [];
    page.on("console", (message) => message.type() === "error" && this.problems.push(`console: ${message.text()}`));
    page.on("pageerror", (error) => this.problems.push(`error: ${error.stack}`));
    page.on("dialog", (dialog) => {
      this.problems.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on("request", (request) => {
      if (request.url() !== this.address && !/^(data|blob):/.test(request.url())) {
        this.problems.push(`request: ${request.url()}`);
      }
    });
  }

  /// Until all views are whole.
  drawn() {
    return this.page.waitForFunction(
      () => [...document.querySelectorAll(".view")].every((view) => view.dataset.drawn === "whole"));
  }

  view(number) {
    return this.page.locator(".view").nth(number);
  }

  /// The numbers at the edges of a view, and where it lies on the screen.
  async placeOf(number) {
    const view = this.view(number);
    await view.scrollIntoViewIfNeeded();
    const box = await view.locator("canvas").boundingBox();
    const [left, right, bottom, top] = JSON.parse(await view.getAttribute("data-domain"));
    return {
      box,
      domain: { left, right, bottom, top },
      pixel: (x, y) => [
        box.x + ((x - left) / (right - left)) * box.width,
        box.y + (1 - (y - bottom) / (top - bottom)) * box.height,
      ],
    };
  }

  async download(press) {
    const [download] = await Promise.all([this.page.waitForEvent("download"), press()]);
    return { name: download.suggestedFilename(), content: readFileSync(await download.path()) };
  }

  async screenshot(name) {
    if (screenshots) {
      mkdirSync(screenshots, { recursive: true });
      // Software WebGL has no larger pictures: beyond, the page would be repeated.
      const [width, height] = await this.page.evaluate(() => [innerWidth, Math.min(8000, document.documentElement.scrollHeight)]);
      await this.page.screenshot({ path: join(screenshots, `${name}.png`), fullPage: true, clip: { x: 0, y: 0, width, height } });
    }
  }

  /// Ends it, and fails if anything happened that must not.
  async close() {
    await this.context.close();
    assert.deepEqual(this.problems, []);
  }
}
