import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { DEFINITIONS } from "#lib/views/definition/definitions";
import { FOLD_VERSION } from "#lib/views/definition/fold-version";

/** The definitions that this version of the fold was raised for. */
const RAISED_FOR = { version: 1, hash: "183970cc163d42a8" };

it("the fold has a new version when the definitions have changed, so that updated installations rebuild their records", () => {
  const hash = createHash("sha256").update(JSON.stringify(DEFINITIONS)).digest("hex").slice(0, 16);
  expect({ version: FOLD_VERSION, hash }, "raise FOLD_VERSION, and write both here").toEqual(RAISED_FOR);
});
