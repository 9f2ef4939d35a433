import { randomUUID } from "node:crypto";
import { actorName } from "#lib/auth/actor";
import type { Context } from "#lib/auth/audit/audit";
import { AppError, expectFound } from "#lib/contracts/api/app-error";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { EventFilter, ExportBody } from "#lib/contracts/events/events";
import type { Operation } from "#lib/contracts/operations";
import { type ExportedEvent, listForExport } from "#lib/events/event-store";
import { findBodies, slicesOf } from "#lib/events/log/event-body-store";
import { withWholeReach } from "#lib/events/search/coverage-store";
import { showOperation } from "#lib/flows/operations/operations";
import { type ExportColumns, type ExportFormat, exportText } from "#lib/http/streamed-answer";
import { beat, claimById, finishOperation, insertExport, MAX_EXPORTS, type OperationEnd } from "#lib/operations/operation-store";
import { shownHeaders } from "#lib/vault/sealed-values";
import { withPayloadTexts } from "./payload-texts.ts";
import { rawOf } from "./read-event.ts";

const BEAT_MS = 500;

/** Prepares an export. It begins with its download, and ends without one after ten minutes. */
export async function requestExport({ actor, audit }: Context, { filter, format }: ExportBody): Promise<Operation> {
  const input = { filter, format };
  const operation = await insertExport(actor.workspaceId, { requestedBy: actorName(actor), input });
  if (!operation) throw tooManyExports();
  await audit.record({ action: "export.started", target: { kind: "operation", id: operation.id }, after: input });
  return showOperation(operation);
}

const tooManyExports = () =>
  new AppError("too_many_requests", `You have ${MAX_EXPORTS} exports that are running or ready to download. Download or stop one first.`, {
    retryAfterSeconds: 60,
  });

/** Begins a download. @throws AppError `not_found` when the export is unknown, too old, or was begun or stopped before */
export async function downloadExport(
  workspaceId: WorkspaceId,
  id: string,
  now: Date,
): Promise<{ format: ExportFormat; pieces: AsyncGenerator<string> }> {
  const runner = randomUUID();
  const claimed = await expectFound(
    claimById(workspaceId, id, "export", runner),
    "such export waiting, or it was already downloaded. Start a new one",
  );
  const { filter, format } = claimed.input as ExportBody;
  return { format, pieces: exportEvents(workspaceId, filter, format, now, (parts) => watched(parts, id, runner)) };
}

/** Reports progress, also while the reader pauses, and breaks the file off when stopped: it must not look complete. */
async function* watched<Row>(parts: AsyncIterable<Row[]>, id: string, runner: string): AsyncGenerator<Row[]> {
  let end: OperationEnd = { outcome: "stopped" };
  let done = 0;
  let goOn = true;
  let said = Promise.resolve();
  const say = async () => {
    goOn &&= await beat(id, runner, { done, total: 0, counts: { events: done } });
    if (goOn) return;
    clearInterval(pulse);
    await finishOperation(id, runner, end); // now: the reader may pause for long
  };
  const pulse = setInterval(() => {
    said = said.then(say).catch(() => undefined); // the database is unavailable: reading the log will fail
  }, BEAT_MS);
  pulse.unref();
  const check = () => {
    if (!goOn) throw new Stopped();
  };
  try {
    for await (const rows of parts) {
      check();
      yield rows;
      done += rows.length;
    }
    await said;
    await say();
    check();
    end = { outcome: "finished" };
  } catch (error) {
    if (!(error instanceof Stopped)) end = { outcome: "failed", failure: "The export failed. Start a new one." };
    throw error;
  } finally {
    clearInterval(pulse);
    await said;
    await beat(id, runner, { done, total: 0, counts: { events: done } });
    await finishOperation(id, runner, end);
  }
}

class Stopped extends Error {
  constructor() {
    super("the export was stopped");
  }
}

const PAGE = 200;

type Row = { event: ExportedEvent; body: ReturnType<typeof rawOf> };

/** `raw` is the signed body to the letter (`rawBase64` where it is not UTF-8), so that its signature still verifies. */
const COLUMNS: ExportColumns<Row> = {
  json: ({ event: { summary, signatureForm, headers }, body }) => ({ ...summary, signatureForm, headers: shownHeaders(headers), ...body }),
  csv: [
    ["id", ({ event }) => event.summary.id],
    ["type", ({ event }) => event.summary.type],
    ["source", ({ event }) => event.summary.source],
    ["state", ({ event }) => event.summary.state],
    ["created", ({ event }) => event.summary.created],
    ["received_at", ({ event }) => event.summary.receivedAt],
    ["resources", ({ event }) => event.summary.resources.map(({ kind, id }) => `${kind}:${id}`).join(" ")],
    ["repeats", ({ event }) => event.summary.repeats],
    ["conflicts", ({ event }) => event.summary.conflicts],
    ["bytes", ({ event }) => event.summary.bytes],
    ["body", ({ body }) => body.raw ?? body.rawBase64 ?? ""],
    // Later columns stand behind it: a script may count them.
    ["last_failure", ({ event }) => event.summary.lastFailure ?? ""],
    ["repaired", ({ event }) => String(event.summary.repaired)],
    ["reported_message", ({ event }) => event.summary.reportedMessage ?? ""],
  ],
};

/** Streams matching events, newest first, a bounded part at a time, so memory stays the same for any size. Later arrivals are left out. */
export const exportEvents = (
  workspaceId: WorkspaceId,
  filter: EventFilter,
  format: ExportFormat,
  now: Date,
  watch: (parts: AsyncIterable<Row[]>) => AsyncIterable<Row[]> = (parts) => parts,
): AsyncGenerator<string> => exportText(format, COLUMNS, watch(readParts(workspaceId, filter, now)));

async function* readParts(workspaceId: WorkspaceId, filter: EventFilter, now: Date): AsyncGenerator<Row[]> {
  const frozen = filter.to !== undefined && Date.parse(filter.to) < now.getTime() ? filter : { ...filter, to: now.toISOString() };
  let cursor: string | undefined;
  do {
    const page = await withWholeReach(workspaceId, frozen, now, () => listForExport(workspaceId, frozen, { limit: PAGE, cursor, now }));
    for (const slice of slicesOf(page.data)) yield await withBodies(workspaceId, slice);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
}

/** Reads bodies a few megabytes at a time; events that have left the log meanwhile are left out. */
async function withBodies(workspaceId: WorkspaceId, events: ExportedEvent[]): Promise<Row[]> {
  const summaries = events.map(({ summary }) => summary);
  const [bodies, told] = await Promise.all([findBodies(events), withPayloadTexts(workspaceId, summaries, { about: false })]);
  return events.flatMap((event, index) => {
    const body = bodies.get(event.seq);
    return body ? [{ event: { ...event, summary: told[index] ?? event.summary }, body: rawOf(body) }] : [];
  });
}
