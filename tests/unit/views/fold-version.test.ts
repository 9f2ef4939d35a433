import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { DEFINITIONS, FOLD_VERSION } from "#lib/views/definitions";
import { foldOf } from "#tests/support/fold-of";
import { randomEvents } from "#tests/support/random-events";

const hashOf = (value: unknown) => createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 16);

/** Hashes that this version of the fold was raised for: the definitions, and the records that the fold makes of some events. */
const RAISED_FOR = { version: 3, definitions: "c041471128b03804", records: "0447744036a55026" };

it("the fold has a new version when it makes other records, so that updated installations rebuild theirs", () => {
  const records = [...foldOf(randomEvents(600, 7))].toSorted(([a], [b]) => (a < b ? -1 : 1));
  expect(records.length).toBeGreaterThan(100);
  const now = { version: FOLD_VERSION, definitions: hashOf(DEFINITIONS), records: hashOf(records) };
  expect(now, "raise FOLD_VERSION, and write all three here").toEqual(RAISED_FOR);
});
