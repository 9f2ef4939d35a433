import pg from "pg";
import { beforeEach, expect, test, vi } from "vitest";
import { anonymousRecorded, recordAnonymousSoon } from "#lib/auth/audit/audit-anonymous";
import { insertFirstOwner } from "#lib/auth/members/user-store";
import { touchDevice } from "#lib/auth/sign-in/attempt-store";
import { hashPassword } from "#lib/auth/sign-in/password";
import { signIn } from "#lib/auth/sign-in/sign-in";
import type { AppError } from "#lib/contracts/api/app-error";
import { pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";
import { withRequestIp } from "#lib/http/request-head";
import { useDatabase } from "#tests/support/database";
import { atSize } from "#tests/support/sample";

const GUESSES = atSize(1000, 150);

useDatabase();

const email = "ada@example.com";
const password = "tram-violet-7-lake";
const HASH = hashPassword(password);
const HOME = "198.51.100.7";
let userId = "";

beforeEach(async () => {
  await anonymousRecorded();
  await pool().query("TRUNCATE users, workspaces, sign_in_failures CASCADE");
  const made = await insertFirstOwner({ email, name: "Ada", passwordHash: await HASH, workspaceName: "Acme" });
  userId = made?.userId ?? "";
});

type Try = { from?: string | null; email?: string; password?: string; deviceHash?: string; now?: Date };
/** Tries again, as the answer asks, where too many passwords are being checked: that counts as no try. */
async function right({ from = HOME, now = new Date(), ...rest }: Try = {}): ReturnType<typeof signIn> {
  for (;;) {
    const outcome = await withRequestIp(from, () => signIn({ email, password, ...rest }, now)).catch((error: AppError) => error);
    if (!(outcome instanceof Error)) return outcome;
    if (outcome.code !== "too_many_requests") throw outcome;
  }
}
const wrong = (attempt: Try = {}) => right({ ...attempt, password: "wrong-wrong-wrong" });

async function outcomes(tries: Promise<{ outcome: string }>[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { outcome } of await Promise.all(tries)) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

test("the tenth failure holds an account up, known or not, and the wait grows", async () => {
  for (const account of [email, "ghost@example.com"]) {
    let now = new Date();
    for (let tries = 0; tries < 10; tries++) await expect(wrong({ email: account, now })).resolves.toEqual({ outcome: "rejected" });
    await expect(right({ email: account, now })).resolves.toMatchObject({ outcome: "locked", until: new Date(now.getTime() + 60_000) });
    now = new Date(now.getTime() + 61_000);
    await expect(wrong({ email: account, now })).resolves.toEqual({ outcome: "rejected" });
    await expect(right({ email: account, now })).resolves.toMatchObject({ until: new Date(now.getTime() + 120_000) });
  }
  const later = new Date(Date.now() + 3_600_000);
  await expect(right({ now: later })).resolves.toMatchObject({ outcome: "signed_in" });
  await expect(wrong({ now: later })).resolves.toEqual({ outcome: "rejected" });
});

test("an unknown address to count by is one address, not none", async () => {
  expect(await outcomes(Array.from({ length: 12 }, () => wrong({ from: null })))).toEqual({ rejected: 10, locked: 2 });
});

test("a stranger who fails hundreds of times holds up neither the browser that is known nor another network", {
  tags: ["deep"],
}, async () => {
  await touchDevice("hash-of-adas-browser", userId, new Date());
  let refused = 0;
  for (let tries = 0; tries < GUESSES; tries++) if ((await wrong({ from: "203.0.113.66" })).outcome === "rejected") refused += 1;
  expect(refused).toBe(10);
  await expect(right({ from: "203.0.113.66" })).resolves.toMatchObject({ outcome: "locked" });
  await expect(right({ from: "203.0.113.66", deviceHash: "hash-of-adas-browser" })).resolves.toMatchObject({ outcome: "signed_in" });
  await expect(right()).resolves.toMatchObject({ outcome: "signed_in" });
});

test("from hundreds of addresses a hundred guesses are looked at, then the known browser alone is let on", { tags: ["deep"] }, async () => {
  await touchDevice("hash-of-adas-browser", userId, new Date());
  let refused = 0;
  for (let n = 0; n < GUESSES; n++) if ((await wrong({ from: `203.0.${n >> 8}.${n & 255}` })).outcome === "rejected") refused += 1;
  expect(refused).toBe(100);
  await expect(right({ deviceHash: "hash-of-adas-browser" })).resolves.toMatchObject({ outcome: "signed_in" });
});

test("one address that tries a password at a thousand accounts is held up after a hundred", { tags: ["deep"] }, async () => {
  let refused = 0;
  for (let n = 0; n < 150; n++) if ((await wrong({ email: `person-${n}@example.com` })).outcome === "rejected") refused += 1;
  expect(refused).toBe(100);
});

test("another person's browser is a stranger's, and a known one has its own ten tries", { tags: ["deep"] }, async () => {
  await touchDevice("hash-of-adas-browser", userId, new Date());
  for (let tries = 0; tries < 10; tries++) await wrong();
  await expect(right({ deviceHash: "hash-of-bens-browser" })).resolves.toMatchObject({ outcome: "locked" });
  expect(await outcomes(Array.from({ length: 12 }, () => wrong({ deviceHash: "hash-of-adas-browser" })))).toEqual({
    rejected: 10,
    locked: 2,
  });
});

test("a right password is forgiven its own failures, and takes nothing from what strangers share", { tags: ["deep"] }, async () => {
  for (let tries = 0; tries < 9; tries++) await wrong();
  await right();
  for (let tries = 0; tries < 9; tries++) await expect(wrong()).resolves.toEqual({ outcome: "rejected" });
  const counted = await prisma().signInFailure.findMany({ select: { failures: true } });
  expect(counted.map(({ failures }) => failures).sort()).toEqual([18, 18, 9]);
});

test("failures at an account stand in its workspace's audit log with the address, never the password", async () => {
  for (let tries = 0; tries < 12; tries++) await wrong();
  await wrong({ email: "ghost@example.com" });
  await anonymousRecorded();
  const entries = await prisma().auditEntry.findMany({ where: { targetId: userId }, orderBy: { id: "asc" } });
  expect(entries.map(({ action }) => action)).toEqual([...Array<string>(9).fill("sign_in.failed"), "sign_in.locked"]);
  expect(entries[0]).toMatchObject({ actorKind: "anonymous", address: HOME, targetName: email });
  expect(JSON.stringify(entries.map(({ before, after }) => [before, after]))).not.toContain("wrong-wrong");
});

test("failures at once stand in the audit log in their order", async () => {
  const tries = Array.from({ length: 40 }, (_, n) => ({ n }));
  for (const each of tries) recordAnonymousSoon({ id: userId, email, name: null }, "sign_in.failed", each);
  await anonymousRecorded();
  const entries = await prisma().auditEntry.findMany({ where: { targetId: userId }, orderBy: { id: "asc" } });
  expect(entries.map(({ after }) => after)).toEqual(tries);
});

const countRows = async () => (await pool().query<{ n: number }>("SELECT count(*) AS n FROM sign_in_failures")).rows[0]?.n ?? 0;

const countSignIns = () => prisma().auditEntry.count({ where: { action: { startsWith: "sign_in" } } });

test("tries that a locked network holds up leave no row behind, whatever account they name", {
  tags: ["deep"],
  timeout: 120_000,
}, async () => {
  for (let n = 0; n < 120; n++) await wrong({ email: `person-${n}@example.com` });
  const [before, recorded] = [await countRows(), await countSignIns()];
  const counts: Record<string, number> = {};
  for (let n = 0; n < 2 * GUESSES; n += 50) {
    const some = await outcomes(Array.from({ length: 50 }, (_, at) => wrong({ email: `ghost-${n + at}@example.com` })));
    for (const [outcome, times] of Object.entries(some)) counts[outcome] = (counts[outcome] ?? 0) + times;
  }
  expect(counts).toEqual({ locked: 2 * GUESSES });
  expect((await countRows()) - before).toBe(0);
  await anonymousRecorded();
  expect(await countSignIns()).toBe(recorded);
});

/** The statements of a try up to its verdict, and those that came after it. */
async function statementsOf(attempt: Try): Promise<string[]> {
  const spy = vi.spyOn(pg.Client.prototype, "query");
  try {
    await expect(wrong(attempt)).resolves.toEqual({ outcome: "rejected" });
    return spy.mock.calls.map(([text]) => (typeof text === "string" ? text : (text as { text: string }).text));
  } finally {
    spy.mockRestore();
    await anonymousRecorded();
  }
}

test("a wrong password takes the same statements as an account that does not exist, with a browser's id and without", async () => {
  await touchDevice(
    "hash-of-bens-browser",
    (await prisma().user.create({ data: { id: "usr_ben", email: "ben@example.com" } })).id,
    new Date(),
  );
  const ghost = "ghost@example.com";
  await wrong({ email: ghost });
  for (const deviceHash of ["hash-of-bens-browser", "made up", undefined]) {
    const browser = deviceHash === undefined ? {} : { deviceHash };
    const known = await statementsOf(browser);
    expect(known.length).toBeGreaterThan(0);
    expect(known.length).toBeLessThanOrEqual(2);
    expect(await statementsOf({ email: ghost, ...browser })).toEqual(known);
    // An account without a password, too.
    expect(await statementsOf({ email: "ben@example.com" })).toEqual(known);
  }
});
