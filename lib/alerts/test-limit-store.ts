import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { AlertTest } from "#lib/db/generated/client";
import { prisma } from "#lib/db/prisma";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Most test messages, and the time that they are counted in. `others` counts addresses that are no member's. */
const LIMITS = {
  person: { most: 10, ms: 10 * MINUTE_MS },
  channel: { most: 5, ms: 10 * MINUTE_MS },
  address: { most: 5, ms: HOUR_MS },
  other: { most: 1, ms: DAY_MS },
  others: { most: 50, ms: DAY_MS },
} as const;

/** A test as it is asked for. `askedBy`: a person's id or a key's; `recipients`: email addresses, none for other kinds; `members`: those that are members', in small letters. */
export type WantedTest = { sendId: number; channelId: string; askedBy: string; recipients: string[]; members: string[] };

/** The limit that is reached, and when there is room again. `address`: whose it is, where it is one's. */
export type TestLimit = { what: keyof typeof LIMITS; most: number; address: string | null; until: Date };

type Row = Omit<AlertTest, "id">;

/**
 * Counts a test message against the limits of who asks, of the channel and of each recipient, in the transaction that writes it: two at
 * once are counted one after the other. An address that is no member's gets one a day, whoever asks and in whichever workspace.
 *
 * @returns the limit that is reached; null when the test may go on
 */
export async function claimTest(client: pg.PoolClient, workspaceId: WorkspaceId, test: WantedTest, now: Date): Promise<TestLimit | null> {
  await client.query("SELECT pg_advisory_xact_lock(hashtext('signalbox_alert_tests'))");
  const addresses = [...new Set(test.recipients.map((address) => address.toLowerCase()))];
  const others = addresses.filter((address) => !test.members.includes(address));
  const { sendId, channelId, askedBy } = test;
  const rows = await prisma(client).alertTest.findMany({
    where: { at: { gt: new Date(now.getTime() - DAY_MS) }, OR: [{ workspaceId }, { askedBy }, { address: { in: addresses } }] },
    omit: { id: true },
    orderBy: { at: "asc" },
  });
  const limit = findLimit(rows, { ...test, workspaceId }, addresses, others, now);
  if (limit) return limit;
  const row = { workspaceId, sendId, channelId, askedBy, at: now };
  await prisma(client).alertTest.createMany({
    data:
      addresses.length > 0
        ? addresses.map((address) => ({ ...row, address, known: !others.includes(address) }))
        : [{ ...row, address: null, known: true }],
  });
  return null;
}

type Test = Pick<WantedTest, "channelId" | "askedBy"> & { workspaceId: string };

function findLimit(rows: Row[], test: Test, addresses: string[], others: string[], now: Date): TestLimit | null {
  const reached = (what: keyof typeof LIMITS, counted: Row[], added = 1, address: string | null = null): TestLimit | null => {
    const { most, ms } = LIMITS[what];
    const recent = counted.filter(({ at }) => at.getTime() > now.getTime() - ms);
    const over = recent.length + added - most;
    if (over <= 0) return null;
    const freed = recent[Math.min(over, recent.length) - 1]?.at ?? now;
    return { what, most, address, until: new Date(freed.getTime() + ms) };
  };
  const tests = [...new Map(rows.map((row) => [row.sendId, row])).values()];
  const own = ({ workspaceId, askedBy }: Row) => workspaceId === test.workspaceId || askedBy === test.askedBy;
  const of = (address: string) => rows.filter((row) => row.address === address);
  return (
    reached(
      "person",
      tests.filter(({ askedBy }) => askedBy === test.askedBy),
    ) ??
    reached(
      "channel",
      tests.filter(({ channelId }) => channelId === test.channelId),
    ) ??
    others.map((address) => reached("other", of(address), 1, address)).find((limit) => limit !== null) ??
    addresses.map((address) => reached("address", of(address), 1, address)).find((limit) => limit !== null) ??
    reached(
      "others",
      rows.filter((row) => !row.known && own(row)),
      others.length,
    )
  );
}

/** Counts a test that did not arrive against nobody's address. */
export async function forgetRecipients(sendId: number): Promise<void> {
  await prisma().alertTest.updateMany({ where: { sendId }, data: { address: null, known: true } });
}

/** Removes what no limit counts any more. @returns how many rows went */
export async function deleteOldTests(now: Date): Promise<number> {
  const { count } = await prisma().alertTest.deleteMany({ where: { at: { lt: new Date(now.getTime() - DAY_MS) } } });
  return count;
}
