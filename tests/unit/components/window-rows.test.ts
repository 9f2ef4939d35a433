import { expect, test } from "vitest";
import { rowsBetween } from "#components/events/list/event-table";

const keys = Array.from({ length: 100 }, (_, index) => `row ${index}`);
const even = () => 36;

test("only the rows that touch the sight are in the page, and the gaps stand for the rest", () => {
  expect(rowsBetween(keys, even, 0, 900)).toEqual({ first: 0, last: 24, before: 0, after: 75 * 36 });
  expect(rowsBetween(keys, even, 360, 720)).toEqual({ first: 10, last: 19, before: 360, after: 80 * 36 });
  expect(rowsBetween(keys, even, 3500, 9000)).toEqual({ first: 97, last: 99, before: 97 * 36, after: 0 });
});

test("rows that were seen count with their own height", () => {
  const heightOf = (key: string) => (key === "row 0" ? 100 : 36);
  expect(rowsBetween(keys, heightOf, 0, 136)).toEqual({ first: 0, last: 1, before: 0, after: 98 * 36 });
  expect(rowsBetween(keys, heightOf, 100, 172)).toMatchObject({ first: 1, last: 2, before: 100 });
});

test("scrolled beyond the end, the last row stays; no rows make no gap", () => {
  expect(rowsBetween(keys, even, 9000, 9900)).toEqual({ first: 99, last: 99, before: 99 * 36, after: 0 });
  expect(rowsBetween([], even, 0, 900)).toEqual({ first: 0, last: -1, before: 0, after: 0 });
});
