import { expect, test } from "vitest";
import * as z from "zod/mini";
import { answered, arraysOf, column, columnsSql, packed } from "#lib/db/columns";

test("a declaration selects each column under its field's name, and an expression as it stands", () => {
  const columns = {
    id: column<string>(),
    sourceId: column<string>(),
    name: column<string>("s.name"),
    bytes: column<number>("octet_length(e.body)"),
  };
  expect(columnsSql(columns, "e")).toBe('e.id, e.source_id AS "sourceId", s.name, octet_length(e.body) AS "bytes"');
  expect(columnsSql({ sourceId: column<string>() })).toBe('source_id AS "sourceId"');
});

test("an answer has its contract's fields alone, moments as texts", () => {
  const contract = z.object({ id: z.string(), at: z.nullable(z.string()) });
  const row = { id: "evt_1", at: new Date("2026-01-31T12:00:00Z"), secret: "whsec_1" };
  expect(answered(contract, row)).toEqual({ id: "evt_1", at: "2026-01-31T12:00:00.000Z" });
  expect(answered(contract, { ...row, at: null })).toEqual({ id: "evt_1", at: null });
});

test("rows become one array for each field", () => {
  const rows = [
    { seq: 1, at: new Date(0) },
    { seq: 2, at: new Date(1000) },
  ];
  expect(arraysOf(rows, "at", "seq")).toEqual([
    ["1970-01-01T00:00:00.000Z", "1970-01-01T00:00:01.000Z"],
    [1, 2],
  ]);
});

test("bodies travel as one parameter with their places, a single one uncopied", () => {
  const bodies = ["one", "", "three"].map((text) => Buffer.from(text));
  expect(packed(bodies)).toEqual([Buffer.from("onethree"), [0, 3, 3], [3, 0, 5]]);
  expect(packed(bodies.slice(0, 1))[0]).toBe(bodies[0]);
});
