import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { EventSummary } from "#lib/contracts/events/events";
import type { ViewDetail, ViewKind, ViewRecord } from "#lib/contracts/views";
import { listResourceEvents } from "#lib/events/event-store";
import { listForgotten } from "#lib/events/retention/retention-store";
import { findConnectionOf } from "#lib/flows/connections/link-integrations";
import { nameEvents, nameReferences } from "#lib/flows/views/name-records";
import { recordOf } from "#lib/views/fold/fold";
import { listViews } from "#lib/views/view-list-store";
import { findView } from "#lib/views/view-store";
import { foldAsOf, momentOf, pastMarks } from "./read-as-of.ts";

const EVENTS_SHOWN = 100;
const CHILDREN_SHOWN = 100;
const CHILD_KIND: Partial<Record<ViewKind, ViewKind>> = { pipeline: "task", automation: "run" };

/** Returns null when no event names the record (or none by then). @param asOf ISO 8601; null for now */
export async function readView(workspaceId: WorkspaceId, kind: ViewKind, id: string, asOf: string | null): Promise<ViewDetail | null> {
  const until = asOf === null ? null : momentOf(asOf);
  const { record, ...read } = until === null ? await latest(workspaceId, kind, id) : await past(workspaceId, kind, id, until);
  if (!record) return null;
  const events = await listResourceEvents(workspaceId, kind, id, EVENTS_SHOWN, until);
  const childKind = until === null ? CHILD_KIND[kind] : undefined;
  const children = childKind ? (await listViews(workspaceId, childKind, { parent: id, limit: CHILDREN_SHOWN })).data : [];
  const forgotten = await listForgotten(workspaceId, settersBeyond(record, events));
  const connection = kind === "integration" && until === null ? await findConnectionOf(workspaceId, record) : null;
  const [named] = await nameReferences(workspaceId, [record]);
  return {
    ...(named ?? record),
    events: await nameEvents(workspaceId, events),
    children,
    connection,
    forgotten,
    asOf,
    ...pastMarks(read),
  };
}

const latest = async (workspaceId: WorkspaceId, kind: ViewKind, id: string) => ({
  record: await findView(workspaceId, kind, id),
  coverage: null,
  knownFrom: null,
});

async function past(workspaceId: WorkspaceId, kind: ViewKind, id: string, until: number) {
  const { find, coverage, knownFrom } = await foldAsOf(workspaceId, kind, [id], until);
  const registers = find(kind, id);
  return { record: registers ? recordOf(kind, id, registers) : null, coverage, knownFrom };
}

/** Lists the events that set a field and are not at hand: they may have left the log. */
function settersBeyond({ fields }: ViewRecord, events: EventSummary[]): string[] {
  const atHand = new Set(events.map((event) => event.id));
  return [...new Set(Object.values(fields).map(({ eventId }) => eventId))].filter((id) => !atHand.has(id));
}
