import type pg from "pg";
import { AppError } from "#lib/contracts/api/app-error";
import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";
import { logger } from "#lib/observability/logger";
import { hasKey, open, sourceSecretPlace } from "#lib/vault/vault";

/** `validUntil` in the past: retired; it explains and never verifies. */
export type OpenedSecret = { id: string; sourceId: SourceId; sourceName: string; value: string; validUntil: Date | null };

/** More would make a diagnosis slow and not better. */
const PER_SOURCE = 8;
const MAX_SECRETS = 60;

/** Opens the secrets of all sources, retired ones too, active ones first. Only for diagnosis. */
export async function openKnownSecrets(workspaceId: WorkspaceId): Promise<OpenedSecret[]> {
  const { rows } = await pool().query<Omit<OpenedSecret, "value"> & { sealed: string }>(
    `SELECT id, source_id AS "sourceId", name AS "sourceName", sealed, valid_until AS "validUntil" FROM (
       SELECT x.*, s.name, row_number() OVER (PARTITION BY x.source_id ORDER BY x.valid_until DESC NULLS FIRST, x.created_at DESC) AS n
         FROM source_secrets x JOIN sources s ON s.id = x.source_id
        WHERE x.workspace_id = $1 AND s.workspace_id = $1) ranked
      WHERE n <= $2 ORDER BY n, created_at DESC LIMIT $3`,
    [workspaceId, PER_SOURCE, MAX_SECRETS],
  );
  const opened = await Promise.all(rows.map(({ sealed, ...secret }) => openOne(workspaceId, secret, sealed)));
  return opened.filter((secret) => secret !== null);
}

async function openOne(workspaceId: WorkspaceId, secret: Omit<OpenedSecret, "value">, sealed: string): Promise<OpenedSecret | null> {
  try {
    return { ...secret, value: await open(sealed, sourceSecretPlace(workspaceId, secret.id)) };
  } catch (error) {
    logger().warn({ secretId: secret.id, reason: (error as Error).name }, "a signing secret can't be decrypted for a diagnosis");
    return null;
  }
}

export type LockedSource = { name: string; keyIds: string[] };

/** Lists sources whose valid secrets are all sealed with keys that the ring lacks. Throws VaultError `no_key`. */
export async function listLockedSources(): Promise<LockedSource[]> {
  const { rows } = await pool().query<LockedSource>(
    `SELECT s.name, array_agg(DISTINCT x.key_id ORDER BY x.key_id) AS "keyIds" FROM sources s
       JOIN source_secrets x ON x.source_id = s.id AND (x.valid_until IS NULL OR x.valid_until > now()) GROUP BY s.id ORDER BY s.name`,
  );
  return rows.filter(({ keyIds }) => !keyIds.some(hasKey));
}

type MovedEnd = { sourceName: string; endedBefore: Date; endsAt: Date };

/** Moves the end of a replaced secret. A future end is only extended: someone may have asked for longer. Throws `not_found`, `conflict`. */
export async function moveSecretEnd(
  client: pg.PoolClient,
  workspaceId: WorkspaceId,
  sourceId: SourceId,
  { secretId, until, now }: { secretId: string; until: Date; now: Date },
): Promise<MovedEnd> {
  const { rows: sources } = await client.query<{ name: string }>(
    "SELECT name FROM sources WHERE id = $1 AND workspace_id = $2 AND archived_at IS NULL FOR UPDATE",
    [sourceId, workspaceId],
  );
  if (!sources[0]) throw new AppError("not_found", "There is no source with that ID, or it is archived.");
  const secret = await prisma(client).sourceSecret.findFirst({
    where: { id: secretId, sourceId, workspaceId },
    select: { validUntil: true },
  });
  if (!secret) throw new AppError("not_found", "The source has no secret with that ID.");
  const { validUntil } = secret;
  if (validUntil === null) throw new AppError("conflict", "This is the active secret, so it is already accepted. Rotate it to replace it.");
  if (validUntil <= now && until <= now) throw new AppError("conflict", "This secret is no longer accepted.");
  const endsAt = until > now && validUntil > until ? validUntil : until;
  await prisma(client).sourceSecret.updateMany({ where: { id: secretId }, data: { validUntil: endsAt } });
  return { sourceName: sources[0].name, endedBefore: validUntil, endsAt };
}
