import { mkdir, open as openFile, readdir, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { env } from "#lib/config/env";
import { connectionId, type WorkspaceId, workspaceId } from "#lib/contracts/api/ids";
import { codeOf, logger } from "#lib/observability/logger";
import { isVaultError, open, type SealContext, seal } from "#lib/vault/vault";

// Grants that the database has not confirmed yet: a sealed file each, in DATA_DIR.

/** `scopes`, `account` null: nothing new. `accessSealed` null: a refresh returned only a usable refresh token. */
const sealedGrant = z.object({
  accessSealed: z.string().nullable(),
  refreshSealed: z.string().nullable(),
  keyId: z.string(),
  expiresAt: z.coerce.date(),
  expiryKnown: z.boolean(),
  nextRefreshAt: z.coerce.date().nullable(),
  scopes: z.array(z.string()).nullable(),
  account: z.string().nullable(),
  integrationId: z.string().nullable(),
});

export type SealedGrant = z.infer<typeof sealedGrant>;

const target = { workspaceId, connectionId, writtenAt: z.coerce.date(), grant: sealedGrant };

/** A refresh is fenced by its claim's version, a permission by its authorization attempt. */
const spooled = z.discriminatedUnion("kind", [
  z.object({ ...target, kind: z.literal("refresh"), version: z.number().int(), connectedAt: z.coerce.date().nullable() }),
  z.object({ ...target, kind: z.literal("permission"), stateHash: z.string(), by: z.string(), at: z.coerce.date() }),
]);
export type Spooled = z.infer<typeof spooled>;

const envelope = z.object({ workspaceId, connectionId, sealed: z.string() });

const FOLDER = "unsaved-tokens";
const NAME = /^[\w-]{1,100}\.[\w-]{1,100}\.json$/;
const folder = () => path.join(path.resolve(/* turbopackIgnore: true */ env().DATA_DIR), FOLDER);

const placeOf = (workspace: WorkspaceId, connection: string, name: string): SealContext => ({
  workspaceId: workspace,
  table: "token_spool",
  row: connection,
  field: name,
});

/** Seals a grant to disk until `removeSpooled`. @returns the file's name; null if it can't be written, which is logged */
export async function writeSpooled(entry: Spooled): Promise<string | null> {
  const suffix = entry.kind === "refresh" ? `${entry.version}` : `p-${entry.stateHash.slice(0, 16)}`;
  const name = `${entry.connectionId}.${suffix}.json`;
  try {
    const { sealed } = await seal(JSON.stringify(entry), placeOf(entry.workspaceId, entry.connectionId, name));
    const text = JSON.stringify({ workspaceId: entry.workspaceId, connectionId: entry.connectionId, sealed });
    await writeDurably(name, text);
    return name;
  } catch (error) {
    logger().warn(
      { connectionId: entry.connectionId, reason: codeOf(error) || (error as Error).name },
      "new tokens can't be saved in DATA_DIR until they are stored",
    );
    return null;
  }
}

/** Writes a file whole or not at all, and syncs it. */
async function writeDurably(name: string, text: string): Promise<void> {
  await mkdir(folder(), { recursive: true, mode: 0o700 });
  const draft = path.join(folder(), `${name}.${process.pid}.tmp`);
  const file = await openFile(draft, "w", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path.join(folder(), name));
}

export async function listSpooled(of?: string): Promise<string[]> {
  try {
    const names = (await readdir(folder())).filter((name) => NAME.test(name));
    return of === undefined ? names : names.filter((name) => name.startsWith(`${of}.`));
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  }
}

/** Returns null if another process has stored the content. @throws VaultError */
export async function readSpooled(name: string): Promise<Spooled | null> {
  let text: string;
  try {
    text = await readFile(path.join(folder(), name), "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  }
  const { workspaceId: workspace, connectionId: connection, sealed } = envelope.parse(JSON.parse(text));
  return spooled.parse(JSON.parse(await open(sealed, placeOf(workspace, connection, name))));
}

export const removeSpooled = (name: string): Promise<void> => rm(path.join(folder(), name), { force: true });

type TokenField = "access" | "refresh";

const sealedPlaceOf = (workspaceId: WorkspaceId, connectionId: string, field: TokenField): SealContext => ({
  workspaceId,
  table: "connection_tokens",
  row: connectionId,
  field,
});

type PlainTokens = { accessToken: string; refreshToken: string | null };

/** @throws VaultError `no_key` */
export async function sealTokens(workspaceId: WorkspaceId, connectionId: string, { accessToken, refreshToken }: PlainTokens) {
  const access = await seal(accessToken, sealedPlaceOf(workspaceId, connectionId, "access"));
  const refresh = refreshToken === null ? null : await seal(refreshToken, sealedPlaceOf(workspaceId, connectionId, "refresh"));
  return { accessSealed: access.sealed, refreshSealed: refresh?.sealed ?? null, keyId: access.keyId };
}

export const sealRefreshToken = (workspaceId: WorkspaceId, connectionId: string, refreshToken: string) =>
  seal(refreshToken, sealedPlaceOf(workspaceId, connectionId, "refresh"));

/** @throws VaultError if it can't be opened */
export const openToken = (workspaceId: WorkspaceId, connectionId: string, field: TokenField, sealed: string): Promise<string> =>
  open(sealed, sealedPlaceOf(workspaceId, connectionId, field));

/** Returns the refresh token if there is one: revoking it ends the whole grant (RFC 7009 section 2.1). Null if it can't be opened. */
export async function openRevocable(
  workspaceId: WorkspaceId,
  connectionId: string,
  { accessSealed, refreshSealed }: { accessSealed: string | null; refreshSealed: string | null },
): Promise<string | null> {
  try {
    if (refreshSealed) return await openToken(workspaceId, connectionId, "refresh", refreshSealed);
    return accessSealed && (await openToken(workspaceId, connectionId, "access", accessSealed));
  } catch (error) {
    if (!isVaultError(error)) throw error;
    logger().warn({ connectionId, vaultCode: error.code }, "the tokens could not be decrypted for revocation");
    return null;
  }
}

export const verifierPlace = (workspaceId: WorkspaceId, stateHash: string): SealContext => ({
  workspaceId,
  table: "authorization_attempts",
  row: stateHash,
  field: "verifier",
});
