import { existsSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { introduceSandboxes } from "#lib/background/loops";
import { env, resetEnv } from "#lib/config/env";
import { sourceId, workspaceId } from "#lib/contracts/api/ids";
import { closePools, pool } from "#lib/db/pool";
import { prepareWorkspace } from "#lib/flows/members/set-up-workspace";
import { completeEnvironment, givenSecrets } from "#lib/installation/process-environment";
import { createSecrets, SECRETS_FILE } from "#lib/installation/secrets-file";
import { readSigningSecrets } from "#lib/sandbox/sandbox-store";
import { listSources, rotateSecret } from "#lib/sources/source-store";
import { startLoop } from "#tests/support/background-loop";
import { useDatabase } from "#tests/support/database";
import { TEST_ENV } from "#tests/support/environment";
import { useNodeReceiver } from "#tests/support/receivers";
import { temporaryFolder } from "#tests/support/temporary-folder";
import { envelope, signed } from "#tests/support/webhooks";

const database = useDatabase();
const receiver = useNodeReceiver();

const PLATFORMS = "the secret that the platform signs with";
const OWNER = { OWNER_EMAIL: "ada@example.com", OWNER_PASSWORD: "tram-violet-7-lake" };

beforeEach(async () => {
  await pool().query("TRUNCATE users, workspaces, sandbox_signing_secrets CASCADE");
});

/** Does what `npm start` does before it opens its port, in a container of its own. */
async function start({ secret = "", dataDir = temporaryFolder(), embedded = false } = {}): Promise<void> {
  resetEnv({ ...TEST_ENV, ...OWNER, DATABASE_URL: database.url(), DATA_DIR: dataDir, WEBHOOK_SECRET: secret });
  const secretGiven = env().WEBHOOK_SECRET !== undefined;
  if (embedded && !existsSync(path.join(dataDir, SECRETS_FILE))) createSecrets(dataDir, givenSecrets());
  completeEnvironment("production", embedded ? database.url() : undefined);
  resetEnv({ NODE_ENV: "test" });
  await prepareWorkspace({ now: new Date(), secretGiven });
  await closePools(); // as the supervisor does at once
  receiver.renew();
}

const status = async (secret: string) => (await receiver.send("platform", signed(envelope(), secret))).status;

async function onlySource() {
  const { rows } = await pool().query<{ id: string }>("SELECT id FROM workspaces");
  const workspace = workspaceId.parse(rows[0]?.id);
  const [source] = await listSources(workspace);
  return { workspace, id: sourceId.parse(source?.id), secrets: source?.secrets ?? [] };
}

const audited = async () =>
  (
    await pool().query<{ actor_kind: string; after: { id: string } }>(
      "SELECT actor_kind, after FROM audit_entries WHERE action = 'secret.added' AND workspace_id IN (SELECT id FROM workspaces) ORDER BY id",
    )
  ).rows;

describe("on an external database", () => {
  it("starts, each with a new DATA_DIR, leave the platform's secret alone", async () => {
    await start({ secret: PLATFORMS });
    for (let n = 0; n < 2; n += 1) await start();
    expect(await status(PLATFORMS)).toBe(200);
    const { secrets } = await onlySource();
    expect(secrets).toMatchObject([{ validUntil: null }]);
    expect(await audited()).toHaveLength(1);
  });

  it("a secret that was set in Settings outlives starts that are not given one", async () => {
    await start();
    const { workspace, id } = await onlySource();
    await rotateSecret(workspace, id, 0, new Date(), PLATFORMS);
    for (let n = 0; n < 2; n += 1) await start();
    expect(await status(PLATFORMS)).toBe(200);
  });

  it("starts that are given three different secrets within a day end none of them at once, and audit each", async () => {
    const three = ["the first of three secrets", "the second of three secrets", "the third of three secrets"];
    for (const secret of three) await start({ secret });
    expect(await Promise.all(three.map(status))).toEqual([200, 200, 200]);
    const { secrets } = await onlySource();
    expect(secrets.map(({ validUntil }) => validUntil === null)).toEqual([true, false, false]);
    const entries = await audited();
    expect(entries.map(({ actor_kind, after }) => [actor_kind, after.id])).toEqual(secrets.map(({ id }) => ["system", id]).reverse());
    const { rows } = await pool().query<{ row: string }>("SELECT a::text AS row FROM audit_entries a");
    for (const secret of three) expect(JSON.stringify(rows)).not.toContain(secret);
  });

  it("starts with different environments don't rotate back and forth", async () => {
    const [old, recent] = ["the secret of the old environment", "the secret of the recent one"];
    for (const secret of [old, recent]) await start({ secret });
    const before = (await onlySource()).secrets;
    for (const secret of [old, recent]) await start({ secret });
    expect((await onlySource()).secrets).toEqual(before);
    expect(await audited()).toHaveLength(2);
  });

  it("running processes hear of a secret that a start adds although it closes its pools at once", async () => {
    await start({ secret: PLATFORMS });
    const running = new pg.Client({ connectionString: database.url() });
    await running.connect();
    onTestFinished(() => running.end());
    const heard: (string | undefined)[] = [];
    running.on("notification", ({ payload }) => heard.push(payload));
    await running.query("LISTEN signalbox_sources");
    await start({ secret: "the secret of the next start" });
    const { workspace } = await onlySource();
    await expect.poll(() => heard).toEqual([workspace]);
  });

  it("the sandbox platform signs with the source's secret, which it did not make", async () => {
    await start();
    const { workspace } = await onlySource();
    const introduce = async () => {
      const sandboxes = startLoop(introduceSandboxes);
      await expect.poll(() => readSigningSecrets(workspace)).not.toBeNull();
      await sandboxes.stop();
    };
    await introduce();
    const secrets = await readSigningSecrets(workspace);
    expect(await status(secrets?.current ?? "")).toBe(200);
    await introduce();
    expect(await readSigningSecrets(workspace)).toEqual({ ...secrets, before: null });
  });
});

describe("on the embedded database", () => {
  it("a generated secret is the first of a new source, and the same at every start", async () => {
    const dataDir = temporaryFolder();
    for (let n = 0; n < 2; n += 1) await start({ dataDir, embedded: true });
    expect(await status(env().WEBHOOK_SECRET ?? "")).toBe(200);
    expect((await onlySource()).secrets).toHaveLength(1);
  });

  it("a generated secret does not replace one that an earlier start was given", async () => {
    const dataDir = temporaryFolder();
    await start({ secret: PLATFORMS, dataDir, embedded: true });
    await start({ dataDir, embedded: true });
    expect((await onlySource()).secrets).toMatchObject([{ validUntil: null }]);
    expect(await status(PLATFORMS)).toBe(200);
  });
});

it("a secret that was ended verifies no more after 5 s, although the notification of its end was lost", { tags: ["deep"] }, async () => {
  await start({ secret: PLATFORMS });
  expect(await status(PLATFORMS)).toBe(200);
  await pool().query("UPDATE source_secrets SET valid_until = now() - interval '1 minute'");
  await new Promise((resolve) => setTimeout(resolve, 5200));
  expect(await status(PLATFORMS)).not.toBe(200);
});
