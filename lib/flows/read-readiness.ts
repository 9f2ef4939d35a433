import { ping } from "#lib/db/ping-store";
import { findLastHeartbeat } from "#lib/queue/heartbeat-store";

/** A worker writes its sign of life every 5 s; after this silence it counts as ill. Milliseconds. */
export const WORKER_SILENT_MS = 20_000;

export type Readiness = {
  status: "ready" | "not_ready";
  database: { ok: boolean; detail: string };
  worker: { ok: boolean; detail: string; seenAt: string | null };
};

/** Process, database, worker: whether each is well, and in words what is not. */
export async function readReadiness(now: Date): Promise<Readiness> {
  const databaseOk = await ping();
  const seenAt = databaseOk ? await findLastHeartbeat().catch(() => null) : null;
  const workerOk = seenAt !== null && now.getTime() - seenAt.getTime() < WORKER_SILENT_MS;
  return {
    status: databaseOk && workerOk ? "ready" : "not_ready",
    database: { ok: databaseOk, detail: databaseOk ? "answers" : "does not answer" },
    worker: {
      ok: workerOk,
      detail: workerOk ? "works" : seenAt ? "has been silent for more than 20 s" : "has given no sign of life",
      seenAt: seenAt?.toISOString() ?? null,
    },
  };
}
