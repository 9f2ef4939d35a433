import type pg from "pg";
import { AppError } from "#lib/contracts/api/app-error";
import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";

/** A secret whose end was moved. `endedBefore`: where it stood. */
type MovedEnd = { sourceName: string; endedBefore: Date; endsAt: Date };

/**
 * Moves the end of a secret that was replaced: it verifies until then. Locks the source, as a rotation does. An end in
 * the future is only ever put off: somebody else may have asked for longer.
 *
 * @throws AppError `not_found`; `conflict` for the active secret, which has no end
 */
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
  const { rows } = await client.query<{ validUntil: Date | null }>(
    'SELECT valid_until AS "validUntil" FROM source_secrets WHERE id = $1 AND source_id = $2 AND workspace_id = $3',
    [secretId, sourceId, workspaceId],
  );
  if (!rows[0]) throw new AppError("not_found", "The source has no secret with that ID.");
  const { validUntil } = rows[0];
  if (validUntil === null) throw new AppError("conflict", "This is the active secret, so it is already accepted. Rotate it to replace it.");
  if (validUntil <= now && until <= now) throw new AppError("conflict", "This secret is no longer accepted.");
  const endsAt = until > now && validUntil > until ? validUntil : until;
  await client.query("UPDATE source_secrets SET valid_until = $2 WHERE id = $1", [secretId, endsAt]);
  return { sourceName: sources[0].name, endedBefore: validUntil, endsAt };
}
