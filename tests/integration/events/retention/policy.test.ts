import { describe, expect, it } from "vitest";
import type { Retention } from "#lib/contracts/events/retention";
import { goneBefore } from "#lib/contracts/events/retention-month";
import { pool } from "#lib/db/pool";
import { makeAccount, type TestAccount } from "#tests/support/account";
import { useDatabase } from "#tests/support/database";
import { GET, PUT } from "../../../../app/api/v1/retention/route.ts";

useDatabase();

const context = { params: Promise.resolve({}) };
const address = "http://localhost:3000/api/v1/retention";

async function read({ cookie }: TestAccount): Promise<Retention> {
  return (await GET(new Request(address, { headers: { cookie } }), context)).json() as Promise<Retention>;
}

function set({ cookie }: TestAccount, body: unknown): Promise<Response> {
  const headers = { cookie, origin: "http://localhost:3000", "content-type": "application/json" };
  return PUT(new Request(address, { method: "PUT", headers, body: JSON.stringify(body) }), context);
}

describe("the retention of a workspace", () => {
  it("is 90 days until an owner or an admin sets another, for this workspace alone", async () => {
    const [owner, other] = [await makeAccount(), await makeAccount()];
    const admin = await makeAccount({ role: "admin", workspaceId: owner.workspaceId });
    expect(await read(owner)).toMatchObject({ days: 90, oldestReceivedAt: null });
    expect((await set(owner, { days: 365 })).status).toBe(200);
    expect((await set(admin, { days: 30 })).status).toBe(200);
    expect((await read(owner)).days).toBe(30);
    expect((await read(other)).days).toBe(90);
  });

  it("is set to nothing that is no number of days from 7 to 3,650", async () => {
    const owner = await makeAccount();
    for (const days of [0, 6, -1, 3651, 30.5, "30", null]) expect((await set(owner, { days })).status).toBe(400);
    expect((await read(owner)).days).toBe(90);
  });

  it("says the same moment on the page as the database goes by", async () => {
    const { rows } = await pool().query<{ days: number; now: Date; cutoff: Date }>(
      `SELECT days, now, date_trunc('month', now - make_interval(days => days), 'UTC') AS cutoff
       FROM unnest(ARRAY[7, 30, 90, 365, 3650]) AS days, unnest(ARRAY['2026-03-01T00:00:00Z', '2026-03-31T23:59:59Z', '2028-02-29T12:00:00Z']::timestamptz[]) AS now`,
    );
    expect(rows.length).toBe(15);
    for (const { days, now, cutoff } of rows) expect(goneBefore(days, now)).toEqual(cutoff);
  });
});
