import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { FilterPreview, FilterPreviewBody } from "#lib/contracts/forwarding/destinations";
import { type ExportedEvent, listForExport } from "#lib/events/event-store";
import { findBodies, findReceived, type ReceivedEvent, slicesOf } from "#lib/events/log/body-store";
import { Comparisons, type CompiledFilter, comparisonsFor, compileFilter, type FilterVerdict } from "#lib/forwarding/filter/compile-filter";
import { readPayload } from "#lib/platform/reading/payload";
import { Pauses } from "#lib/time/pauses";

const NEWEST = 1000;
const PAGE = 200;
const EXAMPLES = 3;

/** Limits of one preview: bytes of parsed bodies, and comparisons. */
const PREVIEW_BYTES = 32 * 1_048_576;
const PREVIEW_COMPARISONS = 20_000_000;

/** Tries settings on the newest 1,000 events, by the function that decides when events are applied. */
export async function previewFilter(workspaceId: WorkspaceId, body: FilterPreviewBody, now: Date): Promise<FilterPreview> {
  const preview: FilterPreview = { matching: 0, tooCostly: 0, of: 0, cutShort: false, examples: { matching: [], other: [] } };
  const trial = new Trial(body);
  for await (const { event, verdict } of trial.decideNewest(workspaceId, now)) note(preview, event, verdict);
  return { ...preview, cutShort: trial.isSpent() };
}

/** Returns the newest event that the settings would have handed on, as it was received; null if none. */
export async function findNewestHandedOn(workspaceId: WorkspaceId, body: FilterPreviewBody, now: Date): Promise<ReceivedEvent | null> {
  for await (const { event, verdict } of new Trial(body).decideNewest(workspaceId, now))
    if (verdict === "matched") return findReceived(workspaceId, event);
  return null;
}

class Trial {
  private readonly settings: FilterPreviewBody;
  private readonly filter: CompiledFilter | null;
  private bytesLeft = PREVIEW_BYTES;
  private comparisonsLeft = PREVIEW_COMPARISONS;

  constructor(settings: FilterPreviewBody) {
    this.settings = settings;
    this.filter = settings.filter === null ? null : compileFilter(settings.filter);
  }

  isSpent = (): boolean => this.bytesLeft <= 0 || this.comparisonsLeft <= 0;

  async *decideNewest(workspaceId: WorkspaceId, now: Date) {
    const pauses = new Pauses();
    let cursor: string | undefined;
    for (let of = 0; of < NEWEST; ) {
      const page = await listForExport(workspaceId, {}, { limit: PAGE, cursor, now });
      for (const slice of slicesOf(page.data)) {
        const bodies = this.filter === null ? new Map<number, Buffer>() : await findBodies(slice.filter((each) => this.isAsked(each)));
        for (const event of slice) {
          const verdict = this.isAsked(event) ? this.verdictOf(bodies.get(event.seq)) : "not_matched";
          if (verdict === "spent") return;
          yield { event, verdict };
          await pauses.afterPiece();
        }
      }
      if (page.nextCursor === null) return;
      of += page.data.length;
      cursor = page.nextCursor;
    }
  }

  private isAsked({ summary }: ExportedEvent): boolean {
    const { types, sources } = this.settings;
    return (types.length === 0 || types.includes(summary.type)) && (sources.length === 0 || sources.includes(summary.source));
  }

  /** Returns `spent` when the limits don't reach for this event. */
  private verdictOf(body: Buffer | undefined): FilterVerdict | "spent" {
    if (this.filter === null) return "matched";
    if (!body) return "not_matched";
    this.bytesLeft -= body.length;
    if (this.isSpent()) return "spent";
    const payload = readPayload(body);
    if (!payload.ok) return "not_matched";
    const given = Math.min(comparisonsFor(body.length), this.comparisonsLeft);
    const comparisons = new Comparisons(given);
    const verdict = this.filter(payload.value, comparisons);
    this.comparisonsLeft -= given - Math.max(0, comparisons.left);
    return verdict === "too_costly" && given < comparisonsFor(body.length) ? "spent" : verdict;
  }
}

function note(preview: FilterPreview, { summary: { id, type, receivedAt } }: ExportedEvent, verdict: FilterVerdict): void {
  preview.of += 1;
  if (verdict === "too_costly") {
    preview.tooCostly += 1;
    return;
  }
  if (verdict === "matched") preview.matching += 1;
  const examples = verdict === "matched" ? preview.examples.matching : preview.examples.other;
  if (examples.length < EXAMPLES) examples.push({ id, type, receivedAt });
}
