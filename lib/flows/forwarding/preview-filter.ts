import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { FilterPreview, FilterPreviewBody } from "#lib/contracts/forwarding/destinations";
import { type ExportedEvent, listForExport } from "#lib/events/event-store";
import { findBodies, findReceived, type ReceivedEvent, slicesOf } from "#lib/events/log/body-store";
import { matchesFilter } from "#lib/forwarding/filter/match-filter";
import { parseJson } from "#lib/platform/envelope";

const NEWEST = 1000;
const PAGE = 200;
const EXAMPLES = 3;

/** What settings would have handed on of the newest 1,000 events, by the function that decides when they are applied. */
export async function previewFilter(workspaceId: WorkspaceId, body: FilterPreviewBody, now: Date): Promise<FilterPreview> {
  const preview: FilterPreview = { matching: 0, of: 0, examples: { matching: [], other: [] } };
  for await (const { event, matches } of decideNewest(workspaceId, body, now)) note(preview, event, matches);
  return preview;
}

/** The newest of these events that settings would have handed on, as it was received; null when there is none among them. */
export async function findNewestHandedOn(workspaceId: WorkspaceId, body: FilterPreviewBody, now: Date): Promise<ReceivedEvent | null> {
  for await (const { event, matches } of decideNewest(workspaceId, body, now)) if (matches) return findReceived(workspaceId, event);
  return null;
}

async function* decideNewest(workspaceId: WorkspaceId, body: FilterPreviewBody, now: Date) {
  let cursor: string | undefined;
  for (let of = 0; of < NEWEST; ) {
    const page = await listForExport(workspaceId, {}, { limit: PAGE, cursor, now });
    for (const slice of slicesOf(page.data)) {
      const bodies = body.filter === null ? new Map<number, Buffer>() : await findBodies(slice);
      for (const event of slice) yield { event, matches: isHandedOn(event, bodies.get(event.seq), body) };
    }
    if (page.nextCursor === null) return;
    of += page.data.length;
    cursor = page.nextCursor;
  }
}

function isHandedOn({ summary }: ExportedEvent, bytes: Buffer | undefined, { sources, types, filter }: FilterPreviewBody): boolean {
  if (types.length > 0 && !types.includes(summary.type)) return false;
  if (sources.length > 0 && !sources.includes(summary.source)) return false;
  if (filter === null) return true;
  const json = bytes && parseJson(bytes);
  return json?.ok === true && matchesFilter(json.value, filter);
}

function note(preview: FilterPreview, { summary: { id, type, receivedAt } }: ExportedEvent, matches: boolean): void {
  preview.of += 1;
  if (matches) preview.matching += 1;
  const examples = matches ? preview.examples.matching : preview.examples.other;
  if (examples.length < EXAMPLES) examples.push({ id, type, receivedAt });
}
