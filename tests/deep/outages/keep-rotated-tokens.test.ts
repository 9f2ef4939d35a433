import { mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { WEB_LOOPS } from "#lib/background/web-loops";
import { env, resetEnv } from "#lib/config/env";
import { findTokens } from "#lib/connections/tokens/grant-store";
import { openToken } from "#lib/connections/tokens/token-spool";
import type { ConnectionId, WorkspaceId } from "#lib/contracts/api/ids";
import { closePools, pool } from "#lib/db/pool";
import { completeConnect } from "#lib/flows/connections/connect";
import { disconnectConnection, readConnection } from "#lib/flows/connections/connections";
import { refreshConnection, refreshDueConnections } from "#lib/flows/connections/refresh-connection";
import { systemClock } from "#lib/time/clock";
import { contextOf } from "#tests/support/context";
import { FaultyProxy } from "#tests/support/faulty-proxy";
import { useHostilePlatform } from "#tests/support/hostile-platform";
import { begin, comeBack, connect } from "#tests/support/platform-connection";
import { temporaryFolder } from "#tests/support/temporary-folder";
import type { TokenServer } from "#tests/support/token-server";
import { startWorker } from "#tests/support/worker-process";

const { platform, url } = useHostilePlatform();

type Answer = Awaited<ReturnType<TokenServer["answer"]>>;

/** A platform that rotates refresh tokens and takes a spent one for theft: it ends the grant (RFC 9700 section 4.14.2). */
function strict(beforeAnswer: () => Promise<unknown> = async () => undefined) {
  let [issued, dead] = [0, false];
  return async ({ path: address, fields }: { path: string; fields: Record<string, string> }): Promise<Answer> => {
    if (address === "/revoke") return { body: {} };
    const refresh = fields.grant_type === "refresh_token";
    if (refresh && fields.refresh_token !== `refresh-${issued}`) dead = true;
    if (dead) return { status: 400, body: { error: "invalid_grant" } };
    issued += 1;
    if (refresh) await beforeAnswer();
    return { body: { access_token: `access-${issued}`, refresh_token: `refresh-${issued}`, expires_in: 600 } };
  };
}

async function storedPair(workspaceId: WorkspaceId, id: ConnectionId): Promise<(string | null)[]> {
  const tokens = await findTokens(workspaceId, id);
  if (!tokens) return [];
  const refresh = tokens.refreshSealed && (await openToken(workspaceId, id, "refresh", tokens.refreshSealed));
  return [await openToken(workspaceId, id, "access", tokens.accessSealed), refresh];
}

const folder = () => path.join(env().DATA_DIR, "unsaved-tokens");
function keptFiles(): string[] {
  mkdirSync(folder(), { recursive: true });
  return readdirSync(folder());
}
const card = (workspaceId: WorkspaceId, id: ConnectionId) => readConnection(workspaceId, id, new Date());
const later = (ms: number) => ({ ...systemClock, now: () => systemClock.now() + ms });
const makeDue = (id: ConnectionId) =>
  pool().query("UPDATE connections SET next_refresh_at = now() - interval '1 second', claimed_until = NULL WHERE id = $1", [id]);

/** The database refuses to change this table so many times. */
async function refuseWrites(table: string, times: number): Promise<void> {
  await pool().query(`
    CREATE SEQUENCE IF NOT EXISTS refusals; SELECT setval('refusals', 1, false);
    CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN IF nextval('refusals') <= ${times} THEN RAISE EXCEPTION 'disk full' USING ERRCODE = '53100'; END IF; RETURN NEW; END $$;
    CREATE OR REPLACE TRIGGER refuse BEFORE INSERT OR UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION refuse()`);
}

/** Begins a renewal whose tokens the database refuses. @returns a function that stops it: the tokens are on disk alone then */
async function renewUnstored(workspaceId: WorkspaceId, id: ConnectionId): Promise<() => Promise<void>> {
  await refuseWrites("connection_tokens", 1_000_000);
  const stop = new AbortController();
  const renewing = refreshConnection(workspaceId, id, { signal: stop.signal });
  renewing.catch(() => undefined); // the callers of a slow one hear of it before it is stopped
  await expect.poll(keptFiles).toHaveLength(1);
  return async () => {
    stop.abort();
    await expect(renewing).rejects.toThrow(/renewed, but the new tokens could not be stored/);
  };
}

const claimed = async () => (await pool().query("SELECT FROM connections WHERE claimed_until > now() + interval '5 seconds'")).rowCount;

const writeAgain = () => pool().query("DROP TRIGGER IF EXISTS refuse ON connection_tokens");

/** The database, by way of a proxy that can be cut. */
async function throughProxy(): Promise<FaultyProxy> {
  const proxy = await FaultyProxy.start(url());
  await moveTo(proxy.url);
  return proxy;
}

async function moveTo(address: string): Promise<void> {
  await closePools();
  resetEnv({ DATABASE_URL: address });
}

afterEach(async () => {
  vi.useRealTimers();
  await moveTo(url());
  await writeAgain();
});

describe("a rotated refresh token is not lost", () => {
  test("while the database is away when it is written", async () => {
    const { actor, connectionId: id } = await connectStrictly();
    const proxy = await throughProxy();
    platform.answer = withBefore(() => proxy.misbehave("refused"));
    const renewing = refreshConnection(actor.workspaceId, id);
    await expect.poll(keptFiles, { timeout: 60_000 }).toHaveLength(1);
    await new Promise((resolve) => setTimeout(resolve, 400)); // it is tried again in vain
    withBefore(async () => undefined);
    await proxy.misbehave("none");
    await expect(renewing).resolves.toEqual({ outcome: "refreshed" });
    await expect(storedPair(actor.workspaceId, id)).resolves.toEqual(["access-2", "refresh-2"]);
    expect(keptFiles()).toEqual([]);
    await expect(refreshConnection(actor.workspaceId, id)).resolves.toEqual({ outcome: "refreshed" });
    await moveTo(url());
    await proxy.close();
  });

  test("while the database's connections go silent when it is written", async () => {
    const { actor, connectionId: id } = await connectStrictly();
    const proxy = await throughProxy();
    withBefore(() => proxy.misbehave("half_open"));
    const renewing = refreshConnection(actor.workspaceId, id);
    renewing.catch(() => undefined);
    await expect.poll(keptFiles, { timeout: 60_000 }).toHaveLength(1);
    await proxy.misbehave("none"); // what was silent stays so; new connections are well
    await expect.poll(keptFiles, { timeout: 60_000 }).toEqual([]);
    await proxy.close();
    await moveTo(url());
    await expect(storedPair(actor.workspaceId, id)).resolves.toEqual(["access-2", "refresh-2"]);
    withBefore(async () => undefined);
    await expect(refreshConnection(actor.workspaceId, id)).resolves.toEqual({ outcome: "refreshed" });
  });

  test("while the database refuses the write, and nobody uses the spent one meanwhile", async () => {
    const { actor, connectionId: id } = await connectStrictly();
    await refuseWrites("connection_tokens", 5);
    const renewing = refreshConnection(actor.workspaceId, id);
    await expect.poll(keptFiles).toHaveLength(1);
    await expect(refreshConnection(actor.workspaceId, id)).resolves.toEqual({ outcome: "in_progress" });
    await expect(renewing).resolves.toEqual({ outcome: "refreshed" });
    await expect(storedPair(actor.workspaceId, id)).resolves.toEqual(["access-2", "refresh-2"]);
  });

  test("when the process is stopped while the database is away, and the next start stores it", async () => {
    const { actor, connectionId: id } = await connectStrictly();
    const proxy = await FaultyProxy.start(url());
    platform.answer = withBefore(() => proxy.misbehave("refused"));
    const worker = await startWorker(proxy.url);
    await makeDue(id);
    await expect.poll(keptFiles, { timeout: 60_000 }).toHaveLength(1);
    worker.signal("SIGTERM");
    await worker.ended;
    await expect(storedPair(actor.workspaceId, id)).resolves.toEqual(["access-1", "refresh-1"]);
    const [name = ""] = keptFiles();
    const file = path.join(folder(), name);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, "utf8")).not.toMatch(/refresh-2|access-2/);
    platform.answer = withBefore(async () => undefined);
    await startWorker(url());
    await expect.poll(() => storedPair(actor.workspaceId, id), { timeout: 60_000 }).toEqual(["access-2", "refresh-2"]);
    await expect.poll(keptFiles).toEqual([]);
    await expect(refreshConnection(actor.workspaceId, id)).resolves.toEqual({ outcome: "refreshed" });
    expect(await card(actor.workspaceId, id)).toMatchObject({ state: "connected", problem: null });
    await proxy.close();
  });

  test("when the process is stopped while the platform still answers", async () => {
    const { actor, connectionId: id } = await connectStrictly();
    const stopped = Promise.withResolvers<void>();
    platform.answer = withBefore(() => stopped.promise.then(() => new Promise((resolve) => setTimeout(resolve, 300))));
    await makeDue(id);
    const asked = platform.requests.length;
    const worker = await startWorker(url());
    await expect.poll(() => platform.requests.length, { timeout: 60_000 }).toBe(asked + 1);
    worker.signal("SIGTERM");
    stopped.resolve();
    await expect(worker.ended).resolves.toBe(0);
    await expect(storedPair(actor.workspaceId, id)).resolves.toEqual(["access-2", "refresh-2"]);
    platform.answer = withBefore(async () => undefined);
    await expect(refreshConnection(actor.workspaceId, id)).resolves.toEqual({ outcome: "refreshed" });
  });

  test("and another machine, which does not see the file, leaves the spent one alone until it is stored", async () => {
    const { actor, connectionId: id } = await connectStrictly();
    const { DATA_DIR } = env();
    const renewElsewhere = async () => {
      resetEnv({ DATA_DIR: temporaryFolder() });
      const { outcome } = await refreshConnection(actor.workspaceId, id);
      resetEnv({ DATA_DIR });
      return outcome;
    };
    const stopRenewal = await renewUnstored(actor.workspaceId, id);
    const asked = platform.requests.length;
    await pool().query("UPDATE connections SET claimed_until = now() WHERE id = $1", [id]);
    await expect.poll(claimed, { message: "the claim is extended while the write is repeated" }).toBe(1);
    expect(await renewElsewhere()).toBe("in_progress");
    await stopRenewal();
    expect(await renewElsewhere(), "the claim stays when its process ends").toBe("in_progress");
    expect(platform.requests.length).toBe(asked);
    await writeAgain();
    await refreshDueConnections(undefined, later(10_000));
    await expect(storedPair(actor.workspaceId, id)).resolves.toEqual(["access-2", "refresh-2"]);
    expect(keptFiles()).toEqual([]);
  });

  test("but a later permission stays when an older file is found", async () => {
    const { actor, connectionId: id } = await connectStrictly();
    await (await renewUnstored(actor.workspaceId, id))();
    await writeAgain();
    platform.answer = ({ path: address }) => ({
      body: address === "/revoke" ? {} : { access_token: "later", refresh_token: "later-refresh" },
    });
    const { state } = await begin(actor, { connectionId: id });
    await comeBack(actor, { code: "c", state });
    await refreshDueConnections(undefined, later(10_000));
    expect(keptFiles()).toEqual([]);
    await expect(storedPair(actor.workspaceId, id)).resolves.toEqual(["later", "later-refresh"]);
  });

  test("and a file of another database is left alone", async () => {
    const { actor, connectionId: id } = await connectStrictly();
    await (await renewUnstored(actor.workspaceId, id))();
    await writeAgain();
    await pool().query("DELETE FROM workspaces WHERE id = $1", [actor.workspaceId]);
    const asked = platform.requests.length;
    await refreshDueConnections(undefined, later(10_000));
    expect([keptFiles().length, platform.requests.length]).toEqual([1, asked]);
  });
});

describe("a permission that was exchanged is not lost", () => {
  test("while the database refuses it for a moment", async () => {
    const { actor } = await connectStrictly();
    await refuseWrites("connection_tokens", 4);
    platform.answer = strict();
    const { connectionId, state } = await begin(actor);
    await expect(comeBack(actor, { code: "c", state })).resolves.toEqual({ outcome: "connected", connectionId });
    await expect(storedPair(actor.workspaceId, connectionId)).resolves.toEqual(["access-1", "refresh-1"]);
  });

  test.each([
    ["a worker", () => refreshDueConnections()],
    ["a web process", () => Promise.all(WEB_LOOPS.map(({ run }) => run(AbortSignal.timeout(1))))],
  ])("while it refuses it for long: the card says so, and %s stores it later", async (_, round) => {
    const { actor, connectionId, files } = await exchangeUnstored();
    expect(await card(actor.workspaceId, connectionId)).toMatchObject({ state: "pending", problem: { code: "grant_not_stored" } });
    await writeAgain();
    vi.setSystemTime(Date.now() + 61_000);
    await round();
    expect(await card(actor.workspaceId, connectionId)).toMatchObject({ state: "connected", problem: null });
    await expect(storedPair(actor.workspaceId, connectionId)).resolves.toEqual(["access-1", "refresh-1"]);
    const { rows } = await pool().query<{ left: number }>(
      "SELECT extract(epoch FROM access_expires_at - now())::float8 AS left FROM connections WHERE id = $1",
      [connectionId],
    );
    expect(rows[0]?.left, "the time on disk counts").toBeLessThan(600 - 61);
    expect(keptFiles()).toHaveLength(files - 1);
  });

  test("but is revoked when the connection was removed before it could be stored", async () => {
    const { actor, connectionId, files } = await exchangeUnstored();
    await disconnectConnection(contextOf(actor), connectionId);
    await writeAgain();
    await refreshDueConnections(undefined, later(61_000));
    expect(platform.requests.filter((request) => request.path === "/revoke").map(({ fields }) => fields.token)).toEqual(["refresh-1"]);
    expect(keptFiles()).toHaveLength(files - 1);
  });

  async function exchangeUnstored() {
    const { actor } = await connectStrictly();
    await refuseWrites("connection_tokens", 1_000_000);
    platform.answer = strict();
    const { connectionId, state } = await begin(actor);
    const [before, since, callback] = [keptFiles().length, systemClock.now(), new URLSearchParams({ code: "c", state })];
    // The 8 s for which a browser waits are over once the tokens are on disk.
    const clock = { ...systemClock, now: () => since + (keptFiles().length > before ? 8001 : 0) };
    await expect(completeConnect(actor, callback, clock)).resolves.toEqual({ outcome: "grant_not_stored", connectionId });
    return { actor, connectionId, files: keptFiles().length };
  }
});

let current: ReturnType<typeof strict>;
let before: () => Promise<unknown>;

/** Connected to a platform that goes on as `current`; `withBefore` says what happens before each renewal is answered. */
async function connectStrictly() {
  before = async () => undefined;
  current = strict(() => before());
  platform.answer = current;
  return connect();
}

function withBefore(work: () => Promise<unknown>) {
  before = work;
  return current;
}
