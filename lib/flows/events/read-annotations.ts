import type { AuditAction } from "#lib/auth/audit/audit-labels";
import { listActions } from "#lib/auth/audit/audit-store";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { type Annotation, MAX_ANNOTATIONS } from "#lib/contracts/events/annotations";
import { listVersionStarts, type VersionStart } from "#lib/processing/version-store";

/** What changes which requests are accepted and how they are read. */
const ACTIONS: AuditAction[] = [
  "secret.added",
  "secret.rotated",
  "secret.accepted_again",
  "secret.ended",
  "source.created",
  "source.changed",
  "source.archived",
  "source.restored",
  "source.field_mapping_changed",
];

/**
 * Returns what happened to the installation in a period and may explain a change in its events: changed secrets, sources
 * and field mappings, updates, and the times at which no web process ran. The newest 100, oldest first.
 *
 * @param period ISO 8601
 */
export async function readAnnotations(workspaceId: WorkspaceId, { from, to }: { from: string; to: string }): Promise<Annotation[]> {
  const [actions, starts] = await Promise.all([
    listActions(workspaceId, ACTIONS, { from, to }, MAX_ANNOTATIONS),
    listVersionStarts(from, to, MAX_ANNOTATIONS),
  ]);
  const changes = actions.map(
    ({ at, does, target }): Annotation => ({ kind: "change", at, until: null, text: target?.name ? `${does}: ${target.name}` : does }),
  );
  return [...changes, ...starts.flatMap(annotationsOf)].sort((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at))).slice(-MAX_ANNOTATIONS);
}

/** A start after a pause is the end of an outage; one of another version is an update. */
function annotationsOf({ version, startedAt, versionBefore, seenBefore }: VersionStart): Annotation[] {
  const at = startedAt.toISOString();
  const found: Annotation[] = [];
  if (seenBefore !== null && seenBefore < startedAt)
    found.push({ kind: "outage", at: seenBefore.toISOString(), until: at, text: "Signalbox was not running" });
  if (versionBefore !== null && versionBefore !== version)
    found.push({ kind: "version", at, until: null, text: `Updated from ${versionBefore} to ${version}` });
  return found;
}
