import { expect, test } from "vitest";
import { compareColumns } from "../../../tools/statements/compare-columns.ts";

const column = (type: string, nullable: boolean | null = null) => [{ name: "at", type, source: "at", nullable }];
const row = (...kinds: string[]) => new Map([["at", new Set(kinds)]]);

test("a column is read as the driver reads its type", () => {
  expect(compareColumns(row("number"), column("bigint"), "")).toEqual([]);
  expect(compareColumns(row("string"), column("bigint"), "")).toEqual([expect.stringContaining("read as number; its row says string")]);
  expect(compareColumns(row("string[]"), column("text[]", true), "")).toEqual([]);
  expect(compareColumns(row("object"), column("jsonb"), "")).toEqual([]);
});

test("a row has the columns that its type names", () => {
  expect(compareColumns(new Map([["gone", new Set(["string"])]]), column("text"), "")).toEqual(["has no column gone"]);
});

test("a column that may be null is declared so, unless the statement leaves those rows out", () => {
  expect(compareColumns(row("Date"), column("date", true), "")).toEqual([expect.stringContaining("may be null")]);
  expect(compareColumns(row("Date"), column("date", true), "WHERE at IS NOT NULL")).toEqual([]);
  expect(compareColumns(row("Date", "null"), column("date", false), "")).toEqual([expect.stringContaining("is never null")]);
  expect(compareColumns(row("Date", "null"), column("date", false), "LEFT JOIN x")).toEqual([]);
});
