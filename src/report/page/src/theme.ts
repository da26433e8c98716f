// Light and dark: as the reader's system has it, until the reader says otherwise.

const listeners: (() => void)[] = [];
const system = window.matchMedia("(prefers-color-scheme: dark)");

export function isDark(): boolean {
  const chosen = document.documentElement.dataset["theme"];
  return chosen ? chosen === "dark" : system.matches;
}

export function themeChanged(listener: () => void): void {
  listeners.push(listener);
}

export function setTheme(theme: "light" | "dark" | null): void {
  if (theme) {
    document.documentElement.dataset["theme"] = theme;
  } else {
    delete document.documentElement.dataset["theme"];
  }
  listeners.forEach((listener) => listener());
}

/// Paper is white: figures are drawn anew for it, and back again.
export function followPrinter(): void {
  let before: string | undefined;
  window.addEventListener("beforeprint", () => {
    before = document.documentElement.dataset["theme"];
    setTheme("light");
  });
  window.addEventListener("afterprint", () => setTheme((before as "light" | "dark" | undefined) ?? null));
  system.addEventListener("change", () => listeners.forEach((listener) => listener()));
}
