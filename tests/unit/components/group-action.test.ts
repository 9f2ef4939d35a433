import { expect, test } from "vitest";
import { type GroupRights, hasAction } from "#components/quarantine/diagnoses";
import { fixLinkOf } from "#components/quarantine/fix-links";
import type { DiagnosisCode, QuarantineDiagnoses } from "#lib/contracts/quarantine";

const RIGHTS: GroupRights = { canRelease: true, canDismiss: true, canAccept: true, mapFields: ["acme"] };

const group = (fields: Partial<QuarantineDiagnoses["data"][number]>) =>
  ({ code: "invalid_envelope", source: "acme", releasable: 0, likelyReal: true, ...fields }) as QuarantineDiagnoses["data"][number];

test("mapping fields is offered only for a source that the user may map", () => {
  expect(hasAction(group({}), RIGHTS)).toBe(true);
  expect(hasAction(group({ source: "stripe" }), RIGHTS)).toBe(false);
  expect(hasAction(group({}), { ...RIGHTS, mapFields: [] })).toBe(false);
});

test("a fix opens its dialog at the source, or the source for those who may not change it", () => {
  const link = (code: DiagnosisCode, canManage = true) => fixLinkOf({ code, about: "GitHub", source: "acme" }, canManage);
  expect(link("no_match")).toEqual({ label: "Set the secret", href: "/settings/sources?source=acme&open=set-secret#source-acme" });
  expect(link("secret_sent")?.href).toBe("/settings/sources?source=acme&open=rotate#source-acme");
  expect(link("network_unknown")?.href).toBe("/settings/sources?source=acme&open=edit#source-acme");
  expect(link("other_sender")).toEqual({ label: "Add a source for GitHub", href: "/settings/sources?open=add&sender=GitHub" });
  expect(link("malformed")?.href).toBe("/settings/sources#source-acme");
  expect(link("no_match", false)).toEqual({ label: "Open the source", href: "/settings/sources#source-acme" });
  expect(link("body_empty")).toBeUndefined();
});

test("what can be released has a button for every role, and a stranger's requests have none", () => {
  expect(hasAction(group({ releasable: 1 }), { ...RIGHTS, canRelease: false, mapFields: [] })).toBe(true);
  expect(hasAction(group({ likelyReal: false }), RIGHTS)).toBe(false);
});
