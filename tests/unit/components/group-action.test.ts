import { expect, test } from "vitest";
import { type GroupRights, hasAction } from "#components/quarantine/diagnoses";
import type { QuarantineDiagnoses } from "#lib/contracts/quarantine";

const RIGHTS: GroupRights = { canRelease: true, canDismiss: true, canAccept: true, mapFields: ["acme"] };

const group = (fields: Partial<QuarantineDiagnoses["data"][number]>) =>
  ({ code: "invalid_envelope", source: "acme", releasable: 0, likelyReal: true, ...fields }) as QuarantineDiagnoses["data"][number];

test("mapping fields is offered only for a source that the user may map", () => {
  expect(hasAction(group({}), RIGHTS)).toBe(true);
  expect(hasAction(group({ source: "stripe" }), RIGHTS)).toBe(false);
  expect(hasAction(group({}), { ...RIGHTS, mapFields: [] })).toBe(false);
});

test("what can be released has a button for every role, and a stranger's requests have none", () => {
  expect(hasAction(group({ releasable: 1 }), { ...RIGHTS, canRelease: false, mapFields: [] })).toBe(true);
  expect(hasAction(group({ likelyReal: false }), RIGHTS)).toBe(false);
});
