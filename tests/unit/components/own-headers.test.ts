import { expect, it } from "vitest";
import { rowsOf, sentRows } from "#components/destinations/own-headers-field";
import type { Destination } from "#lib/contracts/forwarding/destinations";

const stored = { headers: [{ name: "X-Api-Key" }, { name: "X-Tenant" }] } as Destination;
const rows = rowsOf(stored);

it("a form in which no header was touched sends none, so that a change of the name needs no password", () => {
  expect(sentRows(stored, rows, false)).toEqual({});
  expect(sentRows({ headers: [] as Destination["headers"] } as Destination, [], false)).toEqual({});
});

it("what is kept is sent by its name alone, what is replaced or added with its value, and what is removed not at all", () => {
  const changed = [{ ...rows[0], key: 0, name: "X-Api-Key", value: " new " }, { key: 2, name: " X-Team ", value: "a" }, ...rows.slice(1)];
  expect(sentRows(stored, changed, false)).toEqual({
    headers: [{ name: "X-Api-Key", value: "new" }, { name: "X-Team", value: "a" }, { name: "X-Tenant" }],
  });
  expect(sentRows(stored, rows.slice(1), false)).toEqual({ headers: [{ name: "X-Tenant" }] });
  expect(sentRows(stored, [], false)).toEqual({ headers: [] });
});

it("at another host every header is sent with the value that is entered for it", () => {
  expect(sentRows(stored, [{ key: 0, name: "X-Api-Key", value: "again" }], true)).toEqual({
    headers: [{ name: "X-Api-Key", value: "again" }],
  });
});

it("a new destination sends what was entered", () => {
  expect(sentRows(null, rowsOf(null), false)).toEqual({ headers: [] });
});
