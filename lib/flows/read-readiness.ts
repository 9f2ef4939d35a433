import { type Ping, ping } from "#lib/db/ping-store";
import { commitHealth, noteReached } from "#lib/events/commit-health";
import { findLastHeartbeat } from "#lib/queue/heartbeat-store";

/** A worker writes its sign of life every 5 s; after this silence it counts as ill. Milliseconds. */
export const WORKER_SILENT_MS = 20_000;

const WORDS: Record<Ping, string> = {
  well: "answers",
  read_only: "is read-only: nothing can be stored",
  silent: "does not answer",
  no_connection_free: "has no connection free for pages and API: all are in use",
};

type Part = { ok: boolean; detail: string };

export type Readiness = {
  status: "ready" | "not_ready";
  database: Part;
  receiver: Part;
  worker: Part & { seenAt: string | null };
};

/** Database, receiver, worker: whether each is well, and in words what is not. Answers within 5 s whatever is ill. */
export async function readReadiness(now: Date): Promise<Readiness> {
  const [found, receiver] = await Promise.all([ping(), receiverPart(now)]);
  const database = { ok: found === "well", detail: WORDS[found] };
  const worker = await workerPart(now, found);
  return { status: database.ok && receiver.ok && worker.ok ? "ready" : "not_ready", database, receiver, worker };
}

/** Where no webhook comes that could prove it well again, its connections are tried here. */
async function receiverPart(now: Date): Promise<Part> {
  const last = commitHealth(now.getTime());
  if (!last.ok && last.unreached && (await ping("receiver")) === "well") noteReached();
  const health = commitHealth(now.getTime());
  return { ok: health.ok, detail: health.ok ? "stores what comes" : `can't store: ${health.why}` };
}

async function workerPart(now: Date, database: Ping): Promise<Readiness["worker"]> {
  const readable = database === "well" || database === "read_only";
  const seenAt = readable ? await findLastHeartbeat().catch(() => null) : null;
  const ok = seenAt !== null && now.getTime() - seenAt.getTime() < WORKER_SILENT_MS;
  const silence = seenAt ? "has been silent for more than 20 s" : "has given no sign of life";
  const detail = ok ? "works" : readable ? silence : "can't be asked about: its signs of life are in the database";
  return { ok, detail, seenAt: seenAt?.toISOString() ?? null };
}
