import { expect, test } from "vitest";
import { waitingFor } from "#components/shell/navigation/navigation";
import { ownTitle } from "#components/shell/palette/recent";
import { titleWith } from "#components/shell/tab-state";

test("the tab's title carries what waits, once, and loses it when nothing does", () => {
  expect(titleWith(5, "Signalbox")).toBe("(5) Signalbox");
  expect(titleWith(2, "(5) Events · Signalbox")).toBe("(2) Events · Signalbox");
  expect(titleWith(0, "(1,000+) Events · Signalbox")).toBe("Events · Signalbox");
  expect(titleWith(1002, "Signalbox")).toBe("(1,000+) Signalbox");
});

test("the tab's count is the sum of the red counts in the navigation", () => {
  const counts = { pending: 1, openIssues: 20, quarantinedToday: 1, quarantined: 1, missingEvents: 1, needReconnect: 300, destinations: 1 };
  expect(waitingFor({ ...counts, suspendedDestinations: 4000 })).toBe(4320);
});

test("a page's own title is told from the product's name and the count", () => {
  expect(ownTitle("(3) invoice.pdf · document · Signalbox")).toBe("invoice.pdf · document");
  expect(ownTitle("(3) Signalbox")).toBe("");
  expect(ownTitle("Signalbox")).toBe("");
});
