import { expect, it } from "vitest";
import { backToWords } from "#lib/contracts/events/search-notes";

it.each([
  [0, "0 older events"],
  [1, "1 older event"],
  [9_999, "9,999 older events"],
  [10_001, "about 10,000 older events"],
  [1_234_567, "about 1,200,000 older events"],
])("a search that is not whole says back to when it looked, and how many of %d events wait", (eventsWaiting, words) => {
  expect(backToWords({ eventsWaiting }, "14:02")).toBe(
    `Searched back to 14:02. The search index is being rebuilt, newest events first: ${words} to go.`,
  );
});
