import { expect, it } from "vitest";
import { chooseConnection } from "#lib/platform/platform-reports";

const ours = { id: "con_1", integrationId: null, account: "Acme production" };

it("an event of a third party's integration does not belong to the only connection", () => {
  expect(chooseConnection([ours], { integrationId: "int_drive", account: "inbox@acme.example" })).toBeNull();
  expect(
    chooseConnection([{ ...ours, account: null, integrationId: "int_own" }], { integrationId: "int_drive", account: null }),
  ).toBeNull();
});

it("an event that names the only connection, or nothing that contradicts it, belongs to it", () => {
  expect(chooseConnection([ours], { integrationId: "int_own", account: "Acme production" })).toBe(ours);
  expect(chooseConnection([ours], { integrationId: null, account: null })).toBe(ours);
  expect(chooseConnection([ours], { integrationId: "int_1", account: null })).toBe(ours);
  expect(chooseConnection([{ ...ours, integrationId: "int_own" }], { integrationId: "int_own", account: "renamed" })?.id).toBe("con_1");
});
