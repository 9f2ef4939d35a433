import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import type { EventFilter } from "#lib/contracts/events/events";
import { listMatching, type NewestEvent, type NewestOf } from "#lib/events/log/newest-store";
import type { MappedSource } from "#lib/sources/field-mapping-store";

export const listFailingOf = (workspaceId: WorkspaceId, source: MappedSource, issues: string[], newest: NewestOf): Promise<NewestEvent[]> =>
  listMatching(workspaceId, failedEventsOf(source, issues), newest);

/** Returns exactly the events that a re-delivery of these issues delivers again. */
const failedEventsOf = ({ name }: { id: SourceId; name: string }, issue: string[]): EventFilter => ({
  issue,
  source: name,
  state: ["failed"],
});
