// Files out of the page: everything is made here, nothing is fetched.
import { html } from "../dom";

export function download(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = html("a", { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

export function downloadText(name: string, text: string, type = "text/plain"): void {
  download(name, new Blob([text], { type: `${type};charset=utf-8` }));
}

/// One line for each row. Names that hold a comma, a quote or a line end are quoted, numbers never need it.
export function csv(headings: readonly string[], rows: Iterable<readonly (number | string | null)[]>): string {
  const lines = [headings.map(field).join(",")];
  for (const row of rows) {
    lines.push(row.map((value) => (value === null ? "" : typeof value === "number" ? String(value) : field(value))).join(","));
  }
  return lines.join("\n") + "\n";
}

/// A spreadsheet takes what begins with = + - or @ for a formula: as a name it gets an apostrophe in front.
function field(text: string): string {
  const safe = /^[=+\-@\t]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
}

/// A name that every file system takes.
export function fileName(text: string): string {
  const plain = text.normalize("NFKD").replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^[-.]+|[-.]+$/g, "");
  return plain.slice(0, 60) || "itomap";
}
