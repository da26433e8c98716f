// What unit.test.mjs tests of the page: modules that need no browser.
export * from "../../src/report/page/src/data/decode";
export * from "../../src/report/page/src/export/download";
export * from "../../src/report/page/src/scatter/colors";
export * from "../../src/report/page/src/scatter/drift";
export * from "../../src/report/page/src/scatter/pick";
export * from "../../src/report/page/src/scatter/selection";
export * from "../../src/report/page/src/scatter/viewport";
export * from "../../src/report/page/src/text/checks";
export * from "../../src/report/page/src/text/command";
export * from "../../src/report/page/src/text/format";
export * from "../../src/report/page/src/text/meaning";
export * from "../../src/report/page/src/text/modes";
export * from "../../src/report/page/src/text/summary";
