// Makes one C++ file of the page: scripts and style, bundled and minified, the hashes of the scripts, and the licences
// of the libraries in them.
//   node bundle.mjs MODULES OUT.cpp      MODULES: the node_modules that npm ci filled from the lock file
import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const [modules, out] = process.argv.slice(2);
const esbuild = createRequire(join(modules, "package.json"))("esbuild");

/// The folder of the package that a bundled file belongs to, below MODULES: "kdbush" or "@scope/name".
function packageOf(path) {
  const inside = path.split("node_modules/").pop().split("/");
  return inside[0].startsWith("@") ? `${inside[0]}/${inside[1]}` : inside[0];
}

function licenceOf(name) {
  const folder = join(modules, name);
  const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file ? readFileSync(join(folder, file), "utf8").trim() : "";
  return `${name} ${version} (${license})\n\n${text}\n\n\n`;
}

function licences(names) {
  return [...new Set(names)].sort().map(licenceOf).join("");
}

async function bundle(entry, options = {}) {
  const result = await esbuild.build({
    entryPoints: [join(here, entry)],
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2020",
    charset: "utf8",
    legalComments: "none",
    write: false,
    metafile: true,
    nodePaths: [modules],
    logLevel: "warning",
    ...options,
  });
  const names = Object.keys(result.metafile.inputs).filter((path) => path.includes("node_modules/")).map(packageOf);
  return { text: result.outputFiles[0].text, names };
}

/// Neither of these may stand in a script element.
function checked(text) {
  if (/<\/script|<!--/i.test(text)) {
    throw new Error("a script holds </script or <!--, which would end its element or hide what follows");
  }
  return text;
}

function script(text) {
  const hash = createHash("sha256").update(checked(text), "utf8").digest("base64");
  return `{${literal(text)}, "sha256-${hash}"}`;
}

/// A C++ string literal, in pieces that compilers take.
function literal(text) {
  const pieces = [];
  for (let begin = 0; begin < text.length; begin += 8000) {
    pieces.push(quoted(text.slice(begin, begin + 8000)));
  }
  return `std::string_view(${pieces.length ? pieces.join("\n") : '""'}, ${Buffer.byteLength(text)})`;
}

function quoted(piece) {
  const escapes = { "\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t", "?": "\\?" };
  // Octal escapes end after three digits, whatever follows.
  const escaped = piece.replace(/[\\"\n\r\t?]|[^ -~]+/g, (found) => escapes[found] ?? octal(found));
  return `"${escaped}"`;
}

function octal(characters) {
  return [...Buffer.from(characters)].map((byte) => "\\" + byte.toString(8).padStart(3, "0")).join("");
}

const report = await bundle("src/main.ts");
const gallery = await bundle("src/gallery.ts");
const style = await bundle("src/style.css", { loader: { ".css": "css" } });
const molecule = readFileSync(join(modules, "3dmol/build/3Dmol-min.js"), "utf8").replace(/^\/\*!.*?\*\/\s*/s, "");
const molecule_packages = ["3dmol", ...Object.keys(JSON.parse(readFileSync(join(modules, "3dmol/package.json"))).dependencies)]
  .filter((name) => existsSync(join(modules, name)));

writeFileSync(out, `// Made by src/report/page/bundle.mjs.
#include "report/page.hpp"

namespace itomap::detail {

const PageAssets& page_assets() {
  static constexpr PageAssets assets{
    ${literal(style.text)},
    ${script(report.text)},
    ${script(gallery.text)},
    ${script(molecule)},
    ${literal(checked(licences([...report.names, ...gallery.names])))},
    ${literal(checked(licences(molecule_packages)))}};
  return assets;
}

}  // namespace itomap::detail
`);
