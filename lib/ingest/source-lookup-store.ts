import type pg from "pg";
import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import type { ChallengeSettings, EventAnswer } from "#lib/contracts/sources/challenge-settings";
import type { SchemeSettings } from "#lib/contracts/sources/scheme-settings";
import type { SourceTemplateName } from "#lib/contracts/sources/templates";
import { queryValues } from "#lib/db/rows";
import { logger } from "#lib/observability/logger";
import { readingOfStored, type SourceReading, type StoredReading } from "#lib/platform/read-event";
import type { Scheme } from "#lib/platform/schemes/scheme";
import { answerOf, challengesOf, schemeOf } from "#lib/platform/schemes/templates";
import { open, sourceSecretPlace } from "#lib/vault/vault";

/** `secrets`: opened, the newest first; `sealed`: number of secrets that could not be opened. */
export type ReceivingSource = {
  id: SourceId;
  workspaceId: WorkspaceId;
  secrets: { id: string; value: string; validUntil: Date | null }[];
  sealed: number;
  name: string;
  /** Verified requests are held in quarantine. */
  paused: boolean;
  /** False: requests after their time limit become no events. */
  keepLate: boolean;
  template: SourceTemplateName;
  scheme: Scheme;
  /** What its sender asks before it sends. */
  challenges: readonly ChallengeSettings[];
  /** What its sender wants in the answer to an event; ours if undefined. */
  answer: EventAnswer | undefined;
  /** Milliseconds since 1970 until which the sender may bring its secret. */
  learnsSecretUntil: number | undefined;
  reading: SourceReading;
};

export const listSourceNames = (from: pg.Pool): Promise<string[]> =>
  queryValues<{ name: string }>(from, "SELECT name FROM sources WHERE archived_at IS NULL");

type SourceRow = StoredReading & {
  id: SourceId;
  workspace_id: WorkspaceId;
  paused: boolean;
  keep_late: boolean;
  secret_id: string | null;
  sealed: string;
  valid_until: Date | null;
  settings: SchemeSettings;
};

export async function readSource(from: pg.Pool, name: string): Promise<ReceivingSource | null> {
  const { rows } = await from.query<SourceRow>(
    `SELECT s.id, s.workspace_id, s.template, s.scheme AS settings, s.reading, s.records, s.record, s.name, s.paused_at IS NOT NULL AS paused, s.keep_late, x.id AS secret_id, x.sealed, x.valid_until,
            coalesce((SELECT m.mapping FROM field_mappings m WHERE m.source_id = s.id), '{}') AS mapping
     FROM sources s LEFT JOIN source_secrets x ON x.source_id = s.id AND (x.valid_until IS NULL OR x.valid_until > now())
     WHERE s.name = $1 AND s.archived_at IS NULL ORDER BY x.created_at DESC`,
    [name],
  );
  const [first] = rows;
  if (!first) return null;
  const secrets: ReceivingSource["secrets"] = [];
  let sealed = 0;
  for (const row of rows) {
    if (!row.secret_id) continue;
    const value = await openSecret(first.workspace_id, row.secret_id, row.sealed);
    if (value) secrets.push({ id: row.secret_id, value, validUntil: row.valid_until });
    else sealed += 1;
  }
  const { id, workspace_id: workspaceId, paused, template, settings } = first;
  return {
    id,
    workspaceId,
    name,
    paused,
    keepLate: first.keep_late,
    secrets,
    sealed,
    template,
    scheme: schemeOf(template, settings),
    challenges: challengesOf(template, settings),
    answer: answerOf(template, settings),
    learnsSecretUntil: settings.learning?.secretId === undefined ? Date.parse(settings.learning?.until ?? "") : undefined,
    reading: readingOfStored(first),
  };
}

/** A secret that the vault can't open counts as absent: the source then answers 503 and nothing is lost. */
async function openSecret(workspaceId: WorkspaceId, secretId: string, sealed: string): Promise<string | null> {
  try {
    return await open(sealed, sourceSecretPlace(workspaceId, secretId));
  } catch (error) {
    logger().error({ secretId, reason: (error as Error).name }, "a signing secret can't be decrypted");
    return null;
  }
}
