import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { AlertTest } from "#lib/db/generated/client";
import { prisma } from "#lib/db/prisma";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** `others` counts all addresses that are no member's. */
const LIMITS = {
  person: { most: 10, ms: 10 * MINUTE_MS },
  channel: { most: 5, ms: 10 * MINUTE_MS },
  address: { most: 5, ms: HOUR_MS },
  other: { most: 1, ms: DAY_MS },
  others: { most: 50, ms: DAY_MS },
} as const;

/** `askedBy`: ID of a person or API key. `members`: recipients that are members, in lower case. */
export type WantedTest = { sendId: number; channelId: string; askedBy: string; recipients: string[]; members: string[] };

/** `until`: when there is room again. */
export type TestLimit = { what: keyof typeof LIMITS; most: number; address: string | null; until: Date };

type Row = Omit<AlertTest, "id">;

/** Counts a test in the transaction that writes it, so two at once queue. An address of no member gets one a day per installation. */
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

/** Stops counting a test that did not arrive against its recipients. */
export async function forgetRecipients(sendId: number): Promise<void> {
  await prisma().alertTest.updateMany({ where: { sendId }, data: { address: null, known: true } });
}

export async function deleteOldTests(now: Date): Promise<number> {
  const { count } = await prisma().alertTest.deleteMany({ where: { at: { lt: new Date(now.getTime() - DAY_MS) } } });
  return count;
}
