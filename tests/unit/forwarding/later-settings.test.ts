import { describe, expect, test } from "vitest";
import { laterSettings } from "#lib/flows/forwarding/sending/later-settings";
import type { LeasedDestination } from "#lib/forwarding/sender/sender-lease-store";

const known = { url: "https://a.test", state: "suspended", epoch: 3, probes: 1, isDue: false } as unknown as LeasedDestination;

describe("the settings that a sender goes on with", () => {
  test("are those it knows, where what was read is of before the state changed", () => {
    expect(laterSettings({ ...known, state: "active", epoch: 2, isDue: true }, known, null)).toBe(known);
    const resumed: LeasedDestination = { ...known, state: "active", epoch: 4, isDue: true };
    expect(laterSettings(resumed, known, null)).toBe(resumed);
  });

  test("have no probe due that was begun and was not recorded when they were read", () => {
    const read = { ...known, url: "https://b.test", isDue: true };
    expect(laterSettings(read, known, { epoch: 3, probes: 1 })).toEqual({ ...read, isDue: false });
    expect(laterSettings({ ...read, probes: 2 }, known, { epoch: 3, probes: 1 }).isDue).toBe(true);
    expect(laterSettings({ ...read, epoch: 5, probes: 0 }, known, { epoch: 3, probes: 1 }).isDue).toBe(true);
    expect(laterSettings(read, known, null).isDue).toBe(true);
  });
});
