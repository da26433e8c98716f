// The command that repeats a result.
import type { Json, Result } from "../data/payload";

const plain = /^[\w+=.,:/@%-]+$/;

/// As a shell takes it.
export function quoted(word: string): string {
  return plain.test(word) ? word : `'${word.replace(/'/g, "'\\''")}'`;
}

function words(name: string, value: Json): string[] {
  const option = `--${name.replace(/_/g, "-")}`;
  if (value === null || value === false || value === "" || (Array.isArray(value) && value.length === 0)) {
    return [];
  }
  if (value === true) {
    return [option];
  }
  return [option, quoted(Array.isArray(value) ? value.join(",") : String(value))];
}

/// As it was typed; of results that do not say so, from their parameters.
export function commandOf(result: Result): string | null {
  if (result.command_line) {
    return result.command_line;
  }
  if (!["dmap", "tmd", "lkd"].includes(result.command)) {
    return null; // saved by a program
  }
  return ["itomap", result.command, ...Object.entries(result.parameters).flatMap(([name, value]) => words(name, value))].join(" ");
}
