import { expect, it } from "vitest";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { destinationConditions } from "#lib/flows/alerts/conditions";

const TROUBLED = {
  workspaceId: "wsp_1" as WorkspaceId,
  id: "dst_1",
  name: "crm",
  suspended: null,
  lastFailureText: "It answered 500",
  pending: 3,
  exhausted: 0,
};

it("a suspended destination's alert says why, and the last failure where failures are the reason", () => {
  const details = (["failing", "gone", "no_success"] as const).map(
    (suspended) => destinationConditions([{ ...TROUBLED, suspended }])[0]?.detail ?? "",
  );
  expect(details.map((detail) => detail.includes("Last: It answered 500."))).toEqual([true, false, false]);
  expect(new Set(details).size).toBe(3);
  expect(destinationConditions([{ ...TROUBLED, suspended: "failing", lastFailureText: null }])[0]?.detail).not.toContain("Last:");
});

it("exhausted deliveries are an alert of their own, and a destination in order is none", () => {
  expect(destinationConditions([TROUBLED])).toEqual([]);
  expect(destinationConditions([{ ...TROUBLED, suspended: "gone", exhausted: 2 }]).map(({ subject, count }) => [subject, count])).toEqual([
    ["dst_1", 3],
    ["dst_1:exhausted", 2],
  ]);
});
