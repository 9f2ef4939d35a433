import { expect, test } from "vitest";
import { PROBLEMS } from "#lib/connections/connection-problems";
import { nextState, type Occurrence, sentenceOf, statesThatAllow } from "#lib/connections/connection-state";
import { renewalTime, retryTime } from "#lib/connections/renewal-schedule";
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
  const start = Date.now();
  const waits: number[] = [];
  for (let now = start; waits.length < 9; now += waits.at(-1) ?? 0) waits.push(retryTime(new Date(start), new Date(now)).getTime() - now);
  expect(waits.map((wait) => wait / 1000)).toEqual([5, 5, 10, 20, 40, 80, 160, 300, 300]);
});
