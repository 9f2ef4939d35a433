import { expect, test } from "vitest";
import { ownTitle } from "#components/shell/page-title";
import { titleWith } from "#components/shell/tab-state";

test("the tab's title carries what waits, once, and loses it when nothing does", () => {
  expect(titleWith(5, "Signalbox")).toBe("(5) Signalbox");
  expect(titleWith(2, "(5) Events · Signalbox")).toBe("(2) Events · Signalbox");
  expect(titleWith(0, "(1000+) Events · Signalbox")).toBe("Events · Signalbox");
  expect(titleWith(1002, "Signalbox")).toBe("(1000+) Signalbox");
});

test("a page's own title is told from the product's name and the count", () => {
  expect(ownTitle("(3) invoice.pdf · document · Signalbox")).toBe("invoice.pdf · document");
  expect(ownTitle("(3) Signalbox")).toBe("");
  expect(ownTitle("Signalbox")).toBe("");
});
