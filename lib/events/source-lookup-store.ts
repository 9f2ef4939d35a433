import type { SourceId, WorkspaceId } from "#lib/contracts/ids";
import { listen } from "#lib/db/listen";
import { pool } from "#lib/db/pool";
import { logger } from "#lib/observability/logger";
import { open } from "#lib/vault/vault";
import { noteNotCommitted } from "./commit-health.ts";

/** What the receiver must know of a source. `secrets` are opened; newest first. */
export type ReceivingSource = {
  id: SourceId;
  workspaceId: WorkspaceId;
  secrets: { id: string; value: string; validUntil: Date | null }[];
};

export type SourceLookup = { outcome: "found"; source: ReceivingSource } | { outcome: "unknown" } | { outcome: "unavailable" };

const FRESH_MS = 5000;
/** A lookup may take this long of the 5 s in which every webhook is answered. */
const PATIENCE_MS = 1000;
const MAX_ENTRIES = 1000;

type Entry = { source: ReceivingSource | null; readAt: number };

/**
 * Sources and their opened secrets. What is known is answered at once and read
 * again beside it when it is older than 5 seconds, so that a database that is
 * away or slow holds nobody up here. A change of a source forgets all of them.
 */
export class SourceCache {
  private readonly entries = new Map<string, Entry>();
  private readonly reading = new Map<string, Promise<SourceLookup>>();

  constructor() {
    listen("sources", () => this.entries.clear());
  }

  /** @param name as in `/webhooks/<name>` */
  async find(name: string, now: number): Promise<SourceLookup> {
    const entry = this.entries.get(name);
    if (entry && now - entry.readAt < FRESH_MS) return lookupOf(entry.source);
    const reading = this.reading.get(name) ?? this.read(name, now).finally(() => this.reading.delete(name));
    this.reading.set(name, reading);
    if (entry?.source) return lookupOf(entry.source);
    return Promise.race([reading, late()]);
  }

  private async read(name: string, now: number): Promise<SourceLookup> {
    try {
      const source = await readSource(name);
      if (this.entries.size >= MAX_ENTRIES) this.entries.clear(); // a scan over many names keeps memory bounded
      this.entries.set(name, { source, readAt: now });
      return lookupOf(source);
    } catch (error) {
      noteNotCommitted(error);
      logger().warn({ reason: (error as Error).message }, "can't read a source's secrets");
      return { outcome: "unavailable" };
    }
  }
}

const late = () => new Promise<SourceLookup>((resolve) => setTimeout(() => resolve({ outcome: "unavailable" }), PATIENCE_MS).unref());

const lookupOf = (source: ReceivingSource | null): SourceLookup => (source ? { outcome: "found", source } : { outcome: "unknown" });

/** A source and its opened secrets as they are now; null for an unknown name. */
export async function readSource(name: string): Promise<ReceivingSource | null> {
  const { rows } = await pool("receiver").query<{
    id: SourceId;
    workspace_id: WorkspaceId;
    secret_id: string | null;
    sealed: string;
    valid_until: Date | null;
  }>(
    `SELECT s.id, s.workspace_id, x.id AS secret_id, x.sealed, x.valid_until
     FROM sources s LEFT JOIN source_secrets x ON x.source_id = s.id AND (x.valid_until IS NULL OR x.valid_until > now())
     WHERE s.name = $1 ORDER BY x.created_at DESC`,
    [name],
  );
  const [first] = rows;
  if (!first) return null;
  const secrets: ReceivingSource["secrets"] = [];
  for (const row of rows) {
    if (!row.secret_id) continue;
    const value = await openSecret(first.workspace_id, row.secret_id, row.sealed);
    if (value) secrets.push({ id: row.secret_id, value, validUntil: row.valid_until });
  }
  return { id: first.id, workspaceId: first.workspace_id, secrets };
}

/** A secret that the vault can't open counts as absent: the source then answers 503 and nothing is lost. */
async function openSecret(workspaceId: WorkspaceId, secretId: string, sealed: string): Promise<string | null> {
  try {
    return await open(sealed, { workspaceId, table: "source_secrets", row: secretId, field: "sealed" });
  } catch (error) {
    logger().error({ secretId, reason: (error as Error).name }, "a signing secret can't be opened");
    return null;
  }
}
