import { createHash } from "node:crypto";
import { env } from "#lib/config/env";
import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { DIAGNOSIS_VERSION, type KnownSecret } from "#lib/platform/diagnosis/diagnosis";
import { readingOf, type SourceReading, type SourceReadings } from "#lib/platform/reading/source-reading";
import { findReadings, findSchemes, type SourceScheme } from "#lib/sources/reading-store";
import { type OpenedSecret, openKnownSecrets } from "#lib/sources/source-secret-store";

/** `digest` changes with any of the others. */
export type DiagnosisContext = { secrets: KnownSecret[]; reading: SourceReading; sender: SourceScheme | null; digest: string };

export class KnownSources {
  private readonly contexts = new Map<string, DiagnosisContext>();
  private readonly opened: OpenedSecret[];
  private readonly readings: SourceReadings;
  private readonly schemes: ReadonlyMap<string, SourceScheme>;
  private readonly now: Date;

  private constructor(opened: OpenedSecret[], readings: SourceReadings, schemes: ReadonlyMap<string, SourceScheme>, now: Date) {
    this.opened = opened;
    this.readings = readings;
    this.schemes = schemes;
    this.now = now;
  }

  static async read(workspaceId: WorkspaceId, sourceIds: readonly SourceId[], now: Date): Promise<KnownSources> {
    const ids = [...new Set(sourceIds)];
    const [opened, readings, schemes] = await Promise.all([
      openKnownSecrets(workspaceId),
      findReadings(pool(), ids),
      findSchemes(pool(), ids),
    ]);
    return new KnownSources(opened, readings, schemes, now);
  }

  of(sourceId: SourceId): DiagnosisContext {
    const known = this.contexts.get(sourceId);
    if (known) return known;
    const secrets = this.secretsFor(sourceId);
    const reading = readingOf(this.readings, sourceId);
    const sender = this.schemes.get(sourceId) ?? null;
    const context = { secrets, reading, sender, digest: digestOf({ secrets, reading, sender }) };
    this.contexts.set(sourceId, context);
    return context;
  }

  private secretsFor(sourceId: SourceId): KnownSecret[] {
    return this.opened.map((secret) => {
      const ended = secret.validUntil !== null && secret.validUntil <= this.now;
      const state = secret.sourceId !== sourceId ? "another_source" : ended ? "retired" : "valid";
      return { id: secret.id, value: secret.value, source: secret.sourceName, state, endedAt: ended ? secret.validUntil : null };
    });
  }
}

/** Hashes IDs and settings alone, never a secret. */
function digestOf({ secrets, reading, sender }: Omit<DiagnosisContext, "digest">): string {
  const parts = [
    DIAGNOSIS_VERSION,
    env().WEBHOOK_URL,
    secrets.map(({ id, state }) => [id, state]),
    reading,
    sender?.template,
    sender?.settings,
  ];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 16);
}
