import { randomUUID } from "node:crypto";
import { type Actor, actorName } from "#lib/auth/actor";
import type { Audit } from "#lib/auth/audit/audit";
import { AppError } from "#lib/contracts/api/app-error";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { ExportBody } from "#lib/contracts/events/events";
import type { Operation } from "#lib/contracts/operations/operations";
import { showOperation } from "#lib/flows/operations/show-operation";
import type { ExportFormat } from "#lib/http/export/export-file";
import { beat, claimById, finishOperation, type OperationEnd } from "#lib/operations/claim-store";
import { insertExport, MAX_EXPORTS } from "#lib/operations/operation-store";
import { exportEvents } from "./export-events.ts";

const BEAT_MS = 500;

/** Prepares an export. It begins with its download, and ends without one after ten minutes. */
export async function requestExport(actor: Actor, { filter, format }: ExportBody, audit: Audit): Promise<Operation> {
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
  const claimed = await claimById(workspaceId, id, "export", runner);
  if (!claimed) throw new AppError("not_found", "There is no such export waiting, or it was already downloaded. Start a new one.");
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
