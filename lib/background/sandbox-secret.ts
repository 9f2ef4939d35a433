import { setTimeout as sleep } from "node:timers/promises";
import { env } from "#lib/config/env";
import { pool } from "#lib/db/pool";
import { readSource } from "#lib/ingest/source-lookup-store";
import { adoptOwnerless, saveFirstSigningSecret, savePlatform } from "#lib/sandbox/sandbox-store";
import { listMainSources, type MainSource } from "#lib/sources/source-store";

const LOOK_MS = 1000;

/** Gives each workspace's sandbox platform the source and its newest secret, unless one was set. Repeats, for new workspaces. */
export async function introduceSandboxes(signal: AbortSignal): Promise<void> {
  const introduced = new Map<string, string>();
  while (!signal.aborted) {
    for (const source of await listMainSources(env().WEBHOOK_SOURCE)) {
      if (introduced.get(source.workspaceId) !== source.name && (await introduceSandbox(source)))
        introduced.set(source.workspaceId, source.name);
      if (isFirst(source)) await adoptOwnerless(source.workspaceId);
    }
    await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
  }
}

/** True for the environment's source. Its workspace is the first, which owns whatever names no workspace. */
const isFirst = ({ name }: MainSource): boolean => name === env().WEBHOOK_SOURCE;

/** Returns false while the source has no secret to give to its platform. */
async function introduceSandbox(source: MainSource): Promise<boolean> {
  const valid = await readValidSecrets(source.name);
  if (!valid) return false;
  await savePlatform(source.workspaceId, source.name);
  const { WEBHOOK_SECRET } = env();
  const isGiven = isFirst(source) && WEBHOOK_SECRET !== undefined && valid.includes(WEBHOOK_SECRET);
  if (!isGiven) await saveFirstSigningSecret(source.workspaceId, valid[0]);
  return true;
}

/** Returns the opened secrets that verify now, newest first, for the sandbox platform alone. Null without a source or a secret. */
async function readValidSecrets(sourceName: string): Promise<[string, ...string[]] | null> {
  const source = await readSource(pool("receiver"), sourceName);
  const [newest, ...others] = source?.secrets.map(({ value }) => value) ?? [];
  return newest === undefined ? null : [newest, ...others];
}
