import { fork } from "node:child_process";
import path from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { claimRequest, markAnswered } from "#lib/api/idempotency-store";
import { resetEnv } from "#lib/config/env";
import { findTokens } from "#lib/connections/tokens/grant-store";
import { insertRevocation } from "#lib/connections/tokens/revocation-store";
import { openToken } from "#lib/connections/tokens/token-spool";
import { newId, workspaceId as toWorkspaceId, type WorkspaceId } from "#lib/contracts/api/ids";
import { inTransaction, pool } from "#lib/db/pool";
import { readConnection } from "#lib/flows/connections/connections";
import { createReceiver } from "#lib/flows/ingest/receiver";
import { checkVault, countByKey, forgetLostKeys, rotateVault } from "#lib/flows/vault/vault-keys";
import { assertVaultFits } from "#lib/processes/database-checks";
import { saveSigningSecret } from "#lib/sandbox/sandbox-store";
import { SEALED_TABLES } from "#lib/vault/sealed-row-store";
import { seal } from "#lib/vault/vault";
import { figure } from "#tests/support/figure";
import { useHostilePlatform } from "#tests/support/hostile-platform";
import { begin, connect } from "#tests/support/platform-connection";
import { receiveUntilKept } from "#tests/support/receive-until-kept";
import { atSize } from "#tests/support/sample";
import { envelope, makeWorkspace, sign } from "#tests/support/webhooks";

useHostilePlatform();

const ROOT = path.resolve(import.meta.dirname, "../../..");
const key = (name: string, fill: number) => `${name}:${Buffer.alloc(32, fill).toString("base64")}`;
const K1 = key("k1", 7); // what the tests' environment seals with
const K2 = key("k2", 8);
const useKeys = (...keys: string[]) => resetEnv({ VAULT_KEYS: keys.join(",") });

beforeEach(() => useKeys(K1));

describe("what is sealed", () => {
  test("a ciphertext moved to another row, workspace or field is refused, in the database as well", async () => {
    const [mine, theirs] = [await connect(), await connect()];
    await pool().query(
      "UPDATE connection_tokens SET access_sealed = (SELECT access_sealed FROM connection_tokens WHERE connection_id = $1) WHERE connection_id = $2",
      [theirs.connectionId, mine.connectionId],
    );
    const tokens = await findTokens(mine.actor.workspaceId, mine.connectionId);
    const { accessSealed = "", refreshSealed = "" } = tokens ?? {};
    for (const [{ actor }, sealed] of [
      [mine, accessSealed],
      [theirs, accessSealed],
      [mine, refreshSealed],
    ] as const)
      await expect(openToken(actor.workspaceId, mine.connectionId, "access", sealed ?? "")).rejects.toMatchObject({
        code: "wrong_context",
      });
    await pool().query("DELETE FROM connection_tokens");
  });

  test("the list of sealed places names every sealed column of the database", async () => {
    const { rows } = await pool().query<{ place: string }>(
      "SELECT table_name || '.' || column_name AS place FROM information_schema.columns WHERE table_schema = 'public' AND column_name LIKE '%sealed' ORDER BY 1",
    );
    const known = SEALED_TABLES.flatMap(({ table, columns }) => columns.map(({ column }) => `${table}.${column}`));
    expect(known.sort()).toEqual(rows.map(({ place }) => place));
  });
});

describe("a change of keys", () => {
  const ROWS = 40;

  /** Connections, signing secrets and an open authorization attempt, all under the old key. */
  async function fill(rows = ROWS): Promise<WorkspaceId> {
    await pool().query("TRUNCATE connections, sources, workspaces CASCADE");
    const workspaceId = toWorkspaceId.parse(newId("wsp"));
    await pool().query("INSERT INTO workspaces (id, name) VALUES ($1, 'Acme')", [workspaceId]);
    for (let n = 0; n < rows; n += 1) {
      const id = `con_${String(n).padStart(3, "0")}`;
      const [access, refresh] = await Promise.all(
        (["access", "refresh"] as const).map((field) => seal(`${field}-${n}`, { workspaceId, table: "connection_tokens", row: id, field })),
      );
      await pool().query(
        "INSERT INTO connections (id, workspace_id, name, state, required_scopes, granted_scopes) VALUES ($1, $2, $1, 'connected', '{}', '{}')",
        [id, workspaceId],
      );
      await pool().query(
        "INSERT INTO connection_tokens (connection_id, workspace_id, access_sealed, refresh_sealed, key_id, version) VALUES ($1, $2, $3, $4, 'k1', 1)",
        [id, workspaceId, access?.sealed, n % 4 === 0 ? null : refresh?.sealed],
      );
    }
    return workspaceId;
  }

  async function everythingOpens(workspaceId: WorkspaceId): Promise<number> {
    const { rows } = await pool().query<{ id: string; access: string; refresh: string | null }>(
      "SELECT connection_id AS id, access_sealed AS access, refresh_sealed AS refresh FROM connection_tokens",
    );
    for (const { id, access, refresh } of rows) {
      const n = Number(id.slice(4));
      expect(await openToken(workspaceId, id, "access", access)).toBe(`access-${n}`);
      if (refresh) expect(await openToken(workspaceId, id, "refresh", refresh)).toBe(`refresh-${n}`);
    }
    return rows.length;
  }

  /** A rotation in its own process. @param killAfter how many rows are done when it is killed; Infinity lets it finish */
  async function rotateInChild(killAfter: number): Promise<void> {
    const child = fork(path.join(ROOT, "tests/support/children/rotate-vault.ts"), [], {
      cwd: ROOT,
      execArgv: ["--disable-warning=ExperimentalWarning"],
    });
    const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    child.on("message", (message: { done?: number; rotation?: unknown }) => {
      if (message.done === 0 && killAfter > 0) child.send("go");
      if (message.done !== undefined && message.done >= killAfter) child.kill("SIGKILL");
    });
    await ended;
  }

  test("killed at several points: all opens each time, the next run goes on, and the old key ends with zero rows", {
    tags: ["deep"],
    timeout: 120_000,
  }, async () => {
    const workspaceId = await fill();
    useKeys(K2, K1);
    const left: number[] = [];
    for (let kill = 0; kill < atSize(10, 3); kill += 1) {
      await rotateInChild(kill === 0 ? 0 : 3);
      expect(await everythingOpens(workspaceId)).toBe(ROWS);
      left.push((await countByKey()).find(({ keyId }) => keyId === "k1")?.rows ?? 0);
    }
    expect(left[0]).toBe(ROWS);
    expect(left.at(-1)).toBeLessThan(ROWS);
    expect([...left].sort((one, other) => other - one)).toEqual(left);
    const progress: number[] = [];
    const rotation = await rotateVault({ onProgress: (done) => progress.push(done) });
    expect(rotation).toMatchObject({ resealed: left.at(-1), unopenable: 0, keys: [{ keyId: "k2", place: "active", rows: ROWS }] });
    expect(progress).toHaveLength(rotation.resealed);
    useKeys(K2); // the old key is removed
    expect(await everythingOpens(workspaceId)).toBe(ROWS);
    const { rows } = await pool().query("SELECT DISTINCT key_id FROM connection_tokens");
    expect(rows).toEqual([{ key_id: "k2" }]);
    figure(
      `rotation of ${ROWS} rows killed at several points (left under the old key: ${left.join(", ")}): all opened each time, then 0 rows left on it`,
    );
  });

  test("as many rows as there are, read page by page, are re-encrypted", async () => {
    const workspaceId = await fill(250);
    useKeys(K2, K1);
    expect(await rotateVault()).toMatchObject({ resealed: 250, keys: [{ keyId: "k2", place: "active", rows: 250 }] });
    useKeys(K2);
    expect(await everythingOpens(workspaceId)).toBe(250);
  });

  test("signing secrets and open authorization attempts are re-encrypted too; a row that changes meanwhile is left to who changed it", async () => {
    await pool().query("TRUNCATE connections, sources, workspaces CASCADE");
    resetEnv({ PLATFORM_PKCE: "S256" });
    const { source } = await makeWorkspace();
    const { actor } = await connect();
    await begin(actor);
    useKeys(K2, K1);
    expect((await countByKey()).map(({ keyId, rows }) => [keyId, rows])).toEqual([["k1", 3]]);
    await rotateVault();
    expect(await countByKey()).toEqual([{ keyId: "k2", place: "active", rows: 3 }]);
    useKeys(K2);
    const body = envelope();
    const answer = await receiveUntilKept(createReceiver(), { source, headers: { "x-webhook-signature": sign(body) }, body });
    expect(answer.status).toBe(200);
  });
});

describe("a key that is missing or wrong", () => {
  beforeEach(() => pool().query("TRUNCATE connections, sources, workspaces CASCADE"));

  test("the same name with another key refuses the start, in words", async () => {
    await connect();
    useKeys(key("k1", 99));
    await expect(checkVault(new Date())).resolves.toEqual({ outcome: "wrong", keyIds: ["k1"] });
    await expect(assertVaultFits()).rejects.toThrow(/Invalid VAULT_KEYS: the key k1 is not the one .*\nRestore the right key/);
    useKeys(key("other", 99));
    await expect(assertVaultFits()).rejects.toThrow(
      /VAULT_KEYS can't decrypt the stored data: it was encrypted with k1\.\nAdd that key again/,
    );
    useKeys(K2, K1);
    await expect(assertVaultFits()).resolves.toBeUndefined();
    useKeys(K1);
    await expect(assertVaultFits()).resolves.toBeUndefined();
    figure("a wrong key and a missing one refuse the start with the words to mend it; the right ring starts");
  });

  test("a lost old key asks for new permissions where it was used, and the receiver goes on", async () => {
    const lost = await connect();
    useKeys(K2, K1);
    const kept = await connect();
    const { source } = await makeWorkspace();
    useKeys(K2);
    await expect(checkVault(new Date())).resolves.toEqual({ outcome: "some_lost", keyIds: ["k1"], connections: 1 });
    await expect(checkVault(new Date())).resolves.toMatchObject({ connections: 0 });
    expect(await readConnection(lost.actor.workspaceId, lost.connectionId, new Date())).toMatchObject({
      state: "needs_reauthorization",
      problem: { code: "vault_key_lost" },
      history: [{ kind: "key_lost" }, { kind: "connected" }],
    });
    expect(await readConnection(kept.actor.workspaceId, kept.connectionId, new Date())).toMatchObject({ state: "connected" });
    const body = envelope();
    const request = { source, headers: { "x-webhook-signature": sign(body) }, body };
    expect((await receiveUntilKept(createReceiver(), request)).status).toBe(200);
    await expect(forgetLostKeys(new Date())).resolves.toEqual({ keyIds: ["k1"], connections: 1, secrets: 0, targets: 0 });
    await expect(checkVault(new Date())).resolves.toEqual({ outcome: "fits" });
    expect(await readConnection(lost.actor.workspaceId, lost.connectionId, new Date())).toMatchObject({ state: "needs_reauthorization" });
  });

  test("giving up a lost key leaves nothing under it anywhere: not a kept answer, a dialog, a secret of the sandbox, nor a token to revoke", async () => {
    resetEnv({ PLATFORM_PKCE: "S256", PLATFORM_REVOKE_URL: "https://platform.example/revoke" });
    const { actor, connectionId } = await connect();
    const { workspaceId } = actor;
    await begin(actor);
    await saveSigningSecret(workspaceId, "a secret of the sandbox");
    await claimRequest(workspaceId, "once", "hash");
    const answer = await seal("{}", { workspaceId, table: "idempotency_keys", row: "once", field: "answer" });
    await markAnswered(workspaceId, "once", { status: 201, ...answer });
    const toRevoke = { workspaceId, connectionId, token: "t", account: null, what: "the old access" };
    await inTransaction(pool(), (client) => insertRevocation(client, toRevoke, new Date()));
    expect((await countByKey()).map(({ keyId, rows }) => [keyId, rows])).toEqual([["k1", 5]]);

    useKeys(K2);
    await expect(assertVaultFits()).rejects.toThrow(/--forget-lost/);
    await forgetLostKeys(new Date());
    expect(await countByKey()).toEqual([]);
    await expect(assertVaultFits()).resolves.toBeUndefined();
    // The request is not carried out again, and the timeline says that the token was not revoked.
    expect(await claimRequest(workspaceId, "once", "hash")).toMatchObject({ status: 201, answerSealed: null });
    const { history } = (await readConnection(workspaceId, connectionId, new Date())) ?? {};
    expect(history?.map(({ kind }) => kind)).toContain("not_revoked");
  });
});
