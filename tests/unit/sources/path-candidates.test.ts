import { expect, it } from "vitest";
import { candidatesOf, idsByPath, LIKELY } from "#lib/flows/sources/suggest-field-mapping";

const known = { kind: "task", ids: new Set<string>(), prefixes: new Map<string, ReadonlySet<string>>() };
const pathsOf = (payloads: Record<string, unknown>[], of = known) =>
  candidatesOf(payloads.map(idsByPath), of).map(({ path, score }) => [path, score >= LIKELY]);

it("another kind's reference is no task's, however much it looks like an ID", () => {
  expect(pathsOf([{ document_ref: "doc_1", reference: "T-1" }])[0]).toEqual(["reference", false]);
});

it("a name that says whose ID it is is likely; a time, a list's entry and a key with a dot are not", () => {
  const found = pathsOf([{ task: { ref: "T-100", at: "2026-11-21T15:00:00Z", "a.b": "T-100" }, tags: ["T-100"] }]);
  expect(found[0]).toEqual(["task.ref", true]);
  expect(found.map(([path]) => path)).toEqual(["task.ref", "task.at"]);
});

it("values that are IDs of known records make any name likely", () => {
  const payloads = [{ x: "4711", y: "4712" }];
  expect(pathsOf(payloads)).toEqual([
    ["x", false],
    ["y", false],
  ]);
  expect(pathsOf(payloads, { ...known, ids: new Set(["4712"]) })[0]).toEqual(["y", true]);
});

it("a payload of any depth and width costs no more than its first 200 paths", () => {
  const deep = JSON.parse(`${'{"a":'.repeat(5000)}1${"}".repeat(5000)}`);
  const wide = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`k${n}`, { id: `v${n}`, of: { id: n } }]));
  expect(idsByPath(deep).size).toBe(0);
  expect(idsByPath(wide).size).toBeLessThanOrEqual(200);
});

it("passes over texts and paths that can't be looked up or set", () => {
  const found = idsByPath({ note: "a\u0000b", ["k".repeat(201)]: "tsk_1", ref: "tsk_2" });
  expect([...(found ?? [])]).toEqual([["ref", "tsk_2"]]);
});
