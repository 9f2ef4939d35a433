import * as fc from "fast-check";
import { expect, it } from "vitest";
import { elementPath, entryPath, keyPath, type PathPart, partsOfPath, splitPath } from "#lib/event-types/paths";
import { ROOT } from "#lib/event-types/schema";

const part: fc.Arbitrary<PathPart> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("key" as const),
      key: fc.oneof(fc.string({ minLength: 1 }), fc.constantFrom("a.b", '"', "[]", "*", "a\\", "ü_1", "")),
    }),
  },
  fc.constant<PathPart>({ kind: "element" }),
  fc.constant<PathPart>({ kind: "entry" }),
);

const write = (path: string, one: PathPart): string =>
  one.kind === "key" ? keyPath(path, one.key) : one.kind === "element" ? elementPath(path) : entryPath(path);

it("any path can be read back, part by part and from its end", () => {
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
      const path = parts.reduce(write, ROOT);
      expect(partsOfPath(path)).toEqual(parts);
      const parent = parts.slice(0, -1).reduce(write, ROOT);
      expect(splitPath(path)?.parent ?? null).toBe(parts.length === 0 ? null : parent);
    }),
  );
});

it("reads a path as it is shown", () => {
  expect(partsOfPath('data.items[].price."a.b".*')).toEqual([
    { kind: "key", key: "items" },
    { kind: "element" },
    { kind: "key", key: "price" },
    { kind: "key", key: "a.b" },
    { kind: "entry" },
  ]);
  expect(splitPath("data.items[]")).toEqual({ parent: "data.items", key: "[]" });
});
