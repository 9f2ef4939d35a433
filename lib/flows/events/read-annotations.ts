import type { AuditAction } from "#lib/auth/audit/audit-entry";
import { listActions } from "#lib/auth/audit/audit-store";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { type Annotation, MAX_ANNOTATIONS } from "#lib/contracts/events/events";
import { listAbsences, listVersionChanges } from "#lib/outages/outage-store";

/** Actions that change which requests are accepted, or how they are read. */
const ACTIONS: AuditAction[] = [
  "secret.added",
  "secret.rotated",
  "secret.accepted_again",
  "secret.ended",
  "source.created",
  "source.changed",
  "source.archived",
  "source.restored",
  "source.paused",
  "source.resumed",
  "source.field_mapping_changed",
];

/** A shorter absence is a restart. */
const NOTABLE_AWAY_MS = 60_000;

/** Returns what may explain a change in a period's events: the newest 100, oldest first. @param period ISO 8601 */
export async function readAnnotations(workspaceId: WorkspaceId, period: { from: string; to: string }): Promise<Annotation[]> {
  const [actions, versions, absences] = await Promise.all([
    listActions(workspaceId, ACTIONS, period, MAX_ANNOTATIONS),
    listVersionChanges(period),
    listAbsences(new Date(period.from)),
  ]);
  const all: Annotation[] = [
    // Read newest first; of one millisecond the order stays.
    ...actions.toReversed().map(({ at, does, target }) => ({
      ...{ kind: "change" as const, at, until: null },
      text: target?.name ? `${does}: ${target.name}` : does,
    })),
    ...versions.map(({ at, from, to }) => ({
      ...{ kind: "version" as const, at: at.toISOString(), until: null },
      text: `Updated Signalbox from ${from} to ${to}`,
    })),
    ...absences
      .filter(({ from, to }) => to.getTime() - from.getTime() >= NOTABLE_AWAY_MS && from <= new Date(period.to))
      .map(({ from, to }) => ({
        ...{ kind: "outage" as const, at: from.toISOString(), until: to.toISOString() },
        text: "Signalbox was not running",
      })),
  ];
  return all.sort((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at))).slice(-MAX_ANNOTATIONS);
}
