import { beforeEach, expect, test } from "vitest";
import { touchDevice } from "#lib/auth/known-device-store";
import { hashPassword } from "#lib/auth/password";
import { signIn } from "#lib/auth/sign-in";
import { insertFirstOwner } from "#lib/auth/user-store";
import { pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";
import { withRequestAddress } from "#lib/http/request-address";
import { useDatabase } from "#tests/support/database";
import { figure } from "#tests/support/figure";

useDatabase();

const email = "ada@example.com";
const password = "tram-violet-7-lake";
const HOME = "198.51.100.7";
let userId = "";

beforeEach(async () => {
  await pool().query("TRUNCATE users, workspaces, sign_in_failures CASCADE");
  const made = await insertFirstOwner({ email, name: "Ada", passwordHash: await hashPassword(password), workspaceName: "Acme" });
  userId = made?.userId ?? "";
});

type Try = { from?: string | null; email?: string; password?: string; deviceHash?: string; now?: Date };
const right = ({ from = HOME, now = new Date(), ...rest }: Try = {}) =>
  withRequestAddress(from, () => signIn({ email, password, ...rest }, now));
const wrong = (attempt: Try = {}) => right({ ...attempt, password: "wrong-wrong-wrong" });

async function outcomes(tries: Promise<{ outcome: string }>[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { outcome } of await Promise.all(tries)) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

test("the tenth failure holds an account up, known or not, and the wait grows", async () => {
  for (const account of [email, "ghost@example.com"]) {
    let now = new Date();
    for (let tries = 0; tries < 10; tries++) await expect(wrong({ email: account, now })).resolves.toEqual({ outcome: "refused" });
    await expect(right({ email: account, now })).resolves.toMatchObject({ outcome: "locked", until: new Date(now.getTime() + 60_000) });
    now = new Date(now.getTime() + 61_000);
    await expect(wrong({ email: account, now })).resolves.toEqual({ outcome: "refused" });
    await expect(right({ email: account, now })).resolves.toMatchObject({ until: new Date(now.getTime() + 120_000) });
  }
  const later = new Date(Date.now() + 3_600_000);
  await expect(right({ now: later })).resolves.toMatchObject({ outcome: "signed_in" });
  await expect(wrong({ now: later })).resolves.toEqual({ outcome: "refused" });
});

test("guesses sent all at once don't get past the lock", async () => {
  const counts = await outcomes(Array.from({ length: 15 }, () => wrong()));
  expect(counts).toEqual({ refused: 10, locked: 5 });
});

test("an unknown address to count by is one address, not none", async () => {
  expect(await outcomes(Array.from({ length: 12 }, () => wrong({ from: null })))).toEqual({ refused: 10, locked: 2 });
});

test("a stranger who fails a thousand times holds up neither the browser that is known nor another network", async () => {
  await touchDevice("hash-of-adas-browser", userId, new Date());
  let refused = 0;
  for (let tries = 0; tries < 1000; tries++) if ((await wrong({ from: "203.0.113.66" })).outcome === "refused") refused += 1;
  expect(refused).toBe(10);
  await expect(right({ from: "203.0.113.66" })).resolves.toMatchObject({ outcome: "locked" });
  await expect(right({ from: "203.0.113.66", deviceHash: "hash-of-adas-browser" })).resolves.toMatchObject({ outcome: "signed_in" });
  await expect(right()).resolves.toMatchObject({ outcome: "signed_in" });
  figure(21, `1,000 wrong passwords of a stranger: ${refused} looked at; the owner signs in from a known browser and from another network`);
});

test("from a thousand addresses a hundred guesses are looked at, then the known browser alone is let on", async () => {
  await touchDevice("hash-of-adas-browser", userId, new Date());
  let refused = 0;
  for (let n = 0; n < 1000; n++) if ((await wrong({ from: `203.0.${n >> 8}.${n & 255}` })).outcome === "refused") refused += 1;
  expect(refused).toBe(100);
  await expect(right({ deviceHash: "hash-of-adas-browser" })).resolves.toMatchObject({ outcome: "signed_in" });
  figure(
    21,
    `1,000 wrong passwords from 1,000 addresses: ${refused} looked at, then one a minute and ever fewer; a known browser is let on`,
  );
});

test("one address that tries a password at a thousand accounts is held up after a hundred", async () => {
  let refused = 0;
  for (let n = 0; n < 150; n++) if ((await wrong({ email: `person-${n}@example.com` })).outcome === "refused") refused += 1;
  expect(refused).toBe(100);
});

test("another person's browser is a stranger's, and a known one has its own ten tries", async () => {
  await touchDevice("hash-of-adas-browser", userId, new Date());
  for (let tries = 0; tries < 10; tries++) await wrong();
  await expect(right({ deviceHash: "hash-of-bens-browser" })).resolves.toMatchObject({ outcome: "locked" });
  expect(await outcomes(Array.from({ length: 12 }, () => wrong({ deviceHash: "hash-of-adas-browser" })))).toEqual({
    refused: 10,
    locked: 2,
  });
});

test("a right password is forgiven its own failures, and takes nothing from what strangers share", async () => {
  for (let tries = 0; tries < 9; tries++) await wrong();
  await right();
  for (let tries = 0; tries < 9; tries++) await expect(wrong()).resolves.toEqual({ outcome: "refused" });
  const counted = await prisma().signInFailure.findMany({ select: { failures: true } });
  expect(counted.map(({ failures }) => failures).sort()).toEqual([18, 18, 9]);
});

test("failures at an account stand in its workspace's audit log with the address, never the password", async () => {
  for (let tries = 0; tries < 12; tries++) await wrong();
  await wrong({ email: "ghost@example.com" });
  const entries = await prisma().auditEntry.findMany({ where: { targetId: userId }, orderBy: { id: "asc" } });
  expect(entries.map(({ action }) => action)).toEqual([...Array<string>(9).fill("sign_in.failed"), "sign_in.locked"]);
  expect(entries[0]).toMatchObject({ actorKind: "stranger", address: HOME, targetName: email });
  expect(JSON.stringify(entries.map(({ before, after }) => [before, after]))).not.toContain("wrong-wrong");
});
