import { expect, test } from "vitest";
import { PROBLEMS } from "#lib/connections/connection-problems";
import { nextState, type Occurrence, sentenceOf, statesThatAllow } from "#lib/connections/connection-state";
import { REFRESH_ROUND_MS, refreshWait, renewalTime } from "#lib/connections/tokens/renewal-schedule";
import { connectionProblemCode, connectionState } from "#lib/contracts/connections";

const OCCURRENCES: Occurrence[] = [
  "granted",
  "refreshed",
  "delayed",
  "lost",
  "expiry_near",
  "doubted",
  "key_lost",
  "key_found",
  "disconnected",
];

const LOST = "needs_reauthorization";

test("every state leads somewhere, and the whole table is this one", () => {
  const table = connectionState.options.map((state) => [state, ...OCCURRENCES.map((occurrence) => nextState(state, occurrence) ?? "-")]);
  expect(table).toEqual([
    ["pending", "connected", "-", "-", "-", "-", "-", "-", "-", "disconnected"],
    ["connected", "connected", "connected", "retrying", LOST, "expiring", "retrying", LOST, "-", "disconnected"],
    ["expiring", "connected", "connected", "retrying", LOST, "-", "retrying", LOST, "-", "disconnected"],
    ["retrying", "connected", "connected", "retrying", LOST, "-", "retrying", LOST, "-", "disconnected"],
    [LOST, "connected", "connected", "-", "-", "-", "-", LOST, "retrying", "disconnected"],
    ["disconnected", "connected", "-", "-", "-", "-", "-", "-", "-", "disconnected"],
  ]);
});

test("no refresh brings a disconnected or a pending connection to life", () => {
  expect(statesThatAllow("refreshed")).not.toContain("disconnected");
  expect(statesThatAllow("refreshed")).not.toContain("pending");
});

test("every state and every problem has its words", () => {
  for (const state of connectionState.options) expect(sentenceOf(state, true)).toMatch(/^[A-Z].+\.$/);
  for (const code of connectionProblemCode.options)
    for (const words of Object.values(PROBLEMS[code])) expect(words, code).toMatch(/^[A-Z].+\.$/);
});

test("the platform's own causes stand word for word", () => {
  expect(PROBLEMS.callback_not_registered.why).toBe("Callback URL is not registered in the OAuth app.");
  expect(PROBLEMS.client_rejected.why).toBe("Client ID or client secret is incorrect.");
  expect(PROBLEMS.code_missing.why).toBe("User denied permissions or cancelled.");
  expect(PROBLEMS.access_denied.why).toBe("User denied permissions or cancelled.");
  expect(PROBLEMS.scope_rejected.why).toBe("Requested permissions are not allowed.");
  expect(PROBLEMS.token_expired.why).toBe("Access token has expired (refresh it).");
});

test("a grant is renewed after seven to eight tenths of its life, and never when nothing is known or to be had", () => {
  const now = new Date("2026-01-01T00:00:00Z");
  const expiresAt = new Date(now.getTime() + 100_000);
  expect(renewalTime({ expiresAt, expiryKnown: true, hasRefreshToken: true }, now, 0)).toEqual(new Date(now.getTime() + 80_000));
  expect(renewalTime({ expiresAt, expiryKnown: true, hasRefreshToken: true }, now, 1)).toEqual(new Date(now.getTime() + 70_000));
  expect(renewalTime({ expiresAt, expiryKnown: false, hasRefreshToken: true }, now, 0)).not.toBeNull();
  expect(renewalTime({ expiresAt, expiryKnown: true, hasRefreshToken: false }, now, 0)).not.toBeNull();
  expect(renewalTime({ expiresAt, expiryKnown: false, hasRefreshToken: false }, now, 0)).toBeNull();
});

test("the waits between tries double from five seconds to five minutes", () => {
  const waits: number[] = [];
  for (let failing = 0; waits.length < 9; failing += waits.at(-1) ?? 0) waits.push(refreshWait(failing, 0));
  expect(waits.map((wait) => wait / 1000)).toEqual([5, 5, 10, 20, 40, 80, 160, 300, 300]);
});

test("what the platform asked to wait counts where it is longer", () => {
  expect(refreshWait(0, 3_600_000)).toBe(3_600_000);
  expect(refreshWait(400_000, 1000)).toBe(300_000);
});

test.each([30, 40, 60, 120])("an access of %i s does not lapse between two renewals, also when each answer takes 10 s", (seconds) => {
  const now = new Date("2026-01-01T00:00:00Z");
  const grant = { expiresAt: new Date(now.getTime() + seconds * 1000), expiryKnown: true, hasRefreshToken: true };
  for (const chance of [0, 0.5, 1]) {
    const due = renewalTime(grant, now, chance)?.getTime() ?? Number.POSITIVE_INFINITY;
    // Just missed: the next round begins a whole round after it was due.
    expect(due + REFRESH_ROUND_MS + 10_000).toBeLessThan(grant.expiresAt.getTime());
  }
});

test("an access that is shorter than any request is renewed at half of its lifetime", () => {
  const now = new Date("2026-01-01T00:00:00Z");
  const grant = { expiresAt: new Date(now.getTime() + 10_000), expiryKnown: true, hasRefreshToken: true };
  expect(renewalTime(grant, now, 0.5)).toEqual(new Date(now.getTime() + 5000));
});
