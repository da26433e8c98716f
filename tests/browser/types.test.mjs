// The sources of the page and of their tests have no error of types.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const page = join(dirname(fileURLToPath(import.meta.url)), "../../src/report/page");
const [tools, libraries] = [process.env.ITOMAP_BROWSER_MODULES, process.env.ITOMAP_PAGE_MODULES];

test("types", () => {
  const folder = mkdtempSync(join(tmpdir(), "itomap-types-"));
  const options = { baseUrl: ".", paths: { "*": [join(tools, "@types/*"), join(libraries, "*")] } };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ extends: join(page, "tsconfig.json"), compilerOptions: options, include: [join(page, "src")] }));
  const done = spawnSync(process.execPath, [join(tools, "typescript/bin/tsc"), "-p", folder], { encoding: "utf8" });
  rmSync(folder, { recursive: true });
  assert.equal(done.status, 0, done.stdout);
});
