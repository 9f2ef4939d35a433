import { describe, expect, test } from "vitest";
import { findTokens } from "#lib/connections/tokens/grant-store";
import { openToken } from "#lib/connections/tokens/token-spool";
import type { ConnectionId, WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { disconnectConnection, readConnection } from "#lib/flows/connections/connections";
import { type RefreshOutcome, refreshAndWait, refreshConnection, refreshDueConnections } from "#lib/flows/connections/refresh-connection";
import { contextOf } from "#tests/support/context";
import { figure } from "#tests/support/figure";
import { useHostilePlatform } from "#tests/support/hostile-platform";
import { connect } from "#tests/support/platform-connection";
import { startTokenUser } from "#tests/support/token-user";
import { POST as renew } from "../../../app/api/v1/connections/[id]/refresh/route.ts";

const { platform } = useHostilePlatform();

type Answer = Awaited<ReturnType<typeof platform.answer>>;

/**
 * A platform that rotates refresh tokens. `strict`: one that was used before
 * ends the grant (reuse detection, RFC 9700 section 4.14.2); else the last one
 * is taken once more.
 */
function rotating({ strict = true, onRefresh }: { strict?: boolean; onRefresh?: () => Promise<Partial<Answer>> } = {}) {
  let issued = 0;
  let dead = false;
  return async ({ fields }: { fields: Record<string, string> }): Promise<Answer> => {
    const refresh = fields.grant_type === "refresh_token";
    const known = fields.refresh_token === `refresh-${issued}` || (!strict && fields.refresh_token === `refresh-${issued - 1}`);
    if (refresh && !known) dead = true;
    if (dead) return { status: 400, body: { error: "invalid_grant" } };
    issued += 1;
    const answer = { body: { access_token: `access-${issued}`, refresh_token: `refresh-${issued}`, expires_in: 600 } };
    return refresh && onRefresh ? { ...answer, ...(await onRefresh()) } : answer;
  };
}

const refreshes = () => platform.requests.filter(({ fields }) => fields.grant_type === "refresh_token").length;
const card = (workspaceId: WorkspaceId, id: ConnectionId) => readConnection(workspaceId, id, new Date());

async function expire(id: ConnectionId): Promise<void> {
  await pool().query(
    "UPDATE connections SET access_expires_at = now() - interval '1 second', next_refresh_at = now() - interval '1 second' WHERE id = $1",
    [id],
  );
}

/** Does what a worker does over the minutes that follow: every claim has lapsed and everything is due, ten times over. */
async function letTimePass(id: ConnectionId): Promise<void> {
  for (let look = 0; look < 10; look += 1) {
    await pool().query(
      `UPDATE connections SET claimed_until = NULL, next_refresh_at = CASE WHEN next_refresh_at IS NULL THEN NULL ELSE now() - interval '1 second' END WHERE id = $1`,
      [id],
    );
    await refreshDueConnections();
  }
}

async function storedPair(workspaceId: WorkspaceId, id: ConnectionId): Promise<string[] | null> {
  const tokens = await findTokens(workspaceId, id);
  if (!tokens?.refreshSealed) return null;
  return [
    await openToken(workspaceId, id, "access", tokens.accessSealed),
    await openToken(workspaceId, id, "refresh", tokens.refreshSealed),
  ];
}

describe("one refresh at a time, whatever dies", () => {
  test("100 callers in 4 processes on an expired token, two of them workers too, make 1 refresh", { timeout: 120_000 }, async () => {
    platform.answer = rotating({ onRefresh: async () => ({ delayMs: 300 }) });
    const { actor, connectionId: id } = await connect();
    const users = await Promise.all([1, 2, 3, 4].map(startTokenUser));
    await expire(id);
    const since = Date.now();
    const order = { workspaceId: actor.workspaceId, id, callers: 25, askedAt: since };
    const results = await Promise.all(users.map((user, index) => user.tell({ ...order, work: index < 2 ? "ask" : "sweep" })));
    expect(refreshes()).toBe(1);
    expect(results.flat()).toHaveLength(100);
    for (const result of results.flat()) expect(["refreshed", "superseded"]).toContain((result as RefreshOutcome).outcome);
    await expect(storedPair(actor.workspaceId, id)).resolves.toEqual(["access-2", "refresh-2"]);
    figure(
      `100 callers in 4 processes on an expired token: ${refreshes()} refresh seen by the platform, 100 of 100 heard that it was renewed, ${Date.now() - since} ms`,
    );
  });

  test.each([{ strict: true }, { strict: false }])(
    "a process killed between answer and commit leaves its tokens to the next look (reuse is strict=$strict)",
    {
      timeout: 120_000,
    },
    async ({ strict }) => {
      const holder = await pool().connect();
      // The answer leaves only when the row is locked: the commit can't happen before the kill.
      const lock = async () => {
        await holder.query("BEGIN");
        await holder.query("SELECT 1 FROM connections FOR UPDATE");
        return {};
      };
      let armed = true;
      platform.answer = rotating({ strict, onRefresh: async () => (armed ? lock() : {}) });
      const { actor, connectionId: id } = await connect();
      const user = await startTokenUser();
      void user.tell({ workspaceId: actor.workspaceId, id, work: "refresh", callers: 1 });
      await expect.poll(async () => (await waitingForLocks()) > 0, { timeout: 60_000 }).toBe(true);
      const gone = new Promise((resolve) => user.process.once("exit", resolve));
      user.process.kill("SIGKILL");
      await gone;
      armed = false;
      // Ends what the dead process had sent before its lock is given.
      await pool().query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      );
      await holder.query("COMMIT");
      holder.release();
      expect(await storedPair(actor.workspaceId, id)).toEqual(["access-1", "refresh-1"]);
      const before = refreshes();
      await letTimePass(id);
      expect(await card(actor.workspaceId, id)).toMatchObject({ state: "connected", problem: null });
      figure(
        `killed between answer and commit, reuse ${strict ? "detected" : "forgiven once"}: connected, ${refreshes() - before} requests later`,
      );
      expect(await storedPair(actor.workspaceId, id)).toEqual([`access-${refreshes() + 1}`, `refresh-${refreshes() + 1}`]);
    },
  );

  test.each([
    { strict: true, ends: "needs_reauthorization" },
    { strict: false, ends: "connected" },
  ])("a lost answer: $ends where reuse is strict=$strict, and never a loop", async ({ strict, ends }) => {
    let lose = true;
    platform.answer = rotating({ strict, onRefresh: async () => (lose ? { ending: "cut" } : {}) });
    const { actor, connectionId: id } = await connect();
    await expect(refreshConnection(actor.workspaceId, id)).resolves.toEqual({ outcome: "delayed", code: "platform_unreachable" });
    expect(await storedPair(actor.workspaceId, id)).toEqual(["access-1", "refresh-1"]);
    lose = false;
    await expire(id);
    await refreshDueConnections();
    expect(await card(actor.workspaceId, id)).toMatchObject({ state: ends });
    const after = refreshes();
    if (strict) await letTimePass(id);
    expect(refreshes()).toBe(after);
    figure(`lost answer, reuse ${strict ? "detected" : "forgiven once"}: ${ends} with ${after} requests`);
  });

  test("a slow refresh: callers wait for it and share what it brings", async () => {
    platform.answer = rotating({ onRefresh: async () => ({ delayMs: 3000 }) });
    const { actor, connectionId: id } = await connect();
    await expire(id);
    const askedAt = new Date();
    const results = await Promise.all(Array.from({ length: 20 }, () => refreshAndWait(actor.workspaceId, id, askedAt)));
    expect(results.map(({ outcome }) => outcome).sort()).toEqual(["refreshed", ...Array(19).fill("superseded")]);
    expect(await storedPair(actor.workspaceId, id)).toEqual(["access-2", "refresh-2"]);
    figure(`a refresh of 3 s: 20 callers waited, ${refreshes()} refresh`);
    expect(refreshes()).toBe(1);
  });

  test("30 requests to renew at once: 1 refresh, and each is answered with what it brought", async () => {
    platform.answer = rotating({ onRefresh: async () => ({ delayMs: 400 }) });
    const { account, actor, connectionId: id } = await connect();
    const ask = () =>
      renew(
        new Request("http://localhost:3000/api/v1/connections/x/refresh", {
          method: "POST",
          headers: { cookie: account.cookie, origin: "http://localhost:3000" },
        }),
        { params: Promise.resolve({ id }) },
      );
    const answers = await Promise.all(Array.from({ length: 30 }, ask));
    const shown = await Promise.all(answers.map((answer) => answer.json() as Promise<{ lastRefreshAt: string }>));
    expect(refreshes()).toBe(1);
    const { lastRefreshAt } = (await card(actor.workspaceId, id)) ?? {};
    expect(shown.map((each) => each.lastRefreshAt)).toEqual(Array(30).fill(lastRefreshAt));
    await ask(); // one who asks afterwards means it anew
    expect(refreshes()).toBe(2);
    figure("30 simultaneous POST /refresh: 1 refresh, 30 answers with the renewed connection");
  });

  test("disconnect during a refresh of another process: it never comes back to life", { timeout: 120_000 }, async () => {
    await pool().query("DELETE FROM connections"); // those of earlier tests fall due by themselves
    const gone = Promise.withResolvers<void>();
    platform.answer = rotating({ onRefresh: () => gone.promise.then(() => ({})) });
    const { actor, connectionId: id } = await connect();
    const user = await startTokenUser();
    const underWay = user.tell({ workspaceId: actor.workspaceId, id, work: "refresh", callers: 1 });
    await expect.poll(refreshes).toBe(1);
    await disconnectConnection(contextOf(actor), id);
    gone.resolve();
    expect(await underWay).toEqual([{ outcome: "superseded" }]);
    await letTimePass(id);
    expect(await card(actor.workspaceId, id)).toMatchObject({ state: "disconnected" });
    expect([await findTokens(actor.workspaceId, id), refreshes()]).toEqual([null, 1]);
    figure("disconnect during a refresh: stays disconnected, 0 tokens stored, 0 refreshes afterwards");
  });
});

async function waitingForLocks(): Promise<number> {
  const { rows } = await pool().query<{ n: number }>(
    "SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
  );
  return rows[0]?.n ?? 0;
}
