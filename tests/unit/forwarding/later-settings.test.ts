import { expect, test } from "vitest";
import { laterSettings } from "#lib/flows/forwarding/sending/destination-sender";
import type { LeasedDestination } from "#lib/forwarding/sender/sender-lease-store";

const known = { url: "https://a.test", state: "suspended", epoch: 3, probes: 1, isDue: false } as unknown as LeasedDestination;

test("settings of before the destination's state changed are ignored, those of after it are not", () => {
  expect(laterSettings({ ...known, state: "active", epoch: 2, isDue: true }, known)).toBe(known);
  const resumed: LeasedDestination = { ...known, state: "active", epoch: 4, probes: 0, isDue: true };
  expect(laterSettings(resumed, known)).toBe(resumed);
});

test("a probe is not due again until it is recorded; the other settings hold", () => {
  const read = { ...known, url: "https://b.test", isDue: true };
  expect(laterSettings(read, known)).toEqual({ ...read, isDue: false });
  expect(laterSettings({ ...read, probes: 2 }, known).isDue).toBe(true);
  expect(laterSettings({ ...read, epoch: 5, probes: 0 }, known).isDue).toBe(true);
});
