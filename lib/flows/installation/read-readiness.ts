import { findDurability, type Ping, ping, type Survives } from "#lib/db/database-health-store";
import { wantedConnections } from "#lib/db/pool-sizes";
import { recentRefusal } from "#lib/db/unavailable";
import { readDelaySeconds } from "#lib/events/feed-store";
import type { CommitHealth } from "#lib/ingest/receiver-log";
import { findLastHeartbeat, WORKER_SILENT_MS } from "#lib/processing/heartbeat-store";
import { type LockedSource, listLockedSources } from "#lib/sources/source-store";
import { readBackupStatus } from "./backup/read-backups.ts";

const WORDS: Record<Ping, string> = {
  well: "answers",
  read_only: "is read-only: nothing can be stored",
  silent: "does not respond",
  no_connection_free: "has no free connection for pages and API: all are in use",
};

const UNSTORED = { read_only: "is read-only", silent: "does not respond" };
const NO_CONNECTION = "no database connection is available";

/** The others lose what was acknowledged, or acknowledge nothing. */
const SAFE = new Set<Survives>(["restart", "restart_standby", "server_loss"]);

export const SURVIVAL_WORDS: Record<Survives, string> = {
  nothing_new: "wait for a synchronous standby that is not connected: webhooks are answered 503",
  process: "don't survive a power cut: the database server runs with fsync or full_page_writes off",
  restart: "survive a crash of the database server, not the loss of its disk",
  restart_standby: "survive a crash of the database server; a failover to its asynchronous standby may lose the latest",
  server_loss: "survive the loss of the database server: a synchronous standby has them too",
};

const refusalWords = (reason: string) =>
  `gets too few connections to the database (${reason}): allow ${wantedConnections("web")} for each web process and ${wantedConnections("worker")} for each worker, or set DATABASE_POOL`;

type Part = { ok: boolean; detail: string };

export type Readiness = {
  status: "ready" | "not_ready";
  database: Part;
  receiver: Part;
  worker: Part & { seenAt: string | null };
  /** New events reach feed and search late. Never a reason for 503, nor are the parts below: they are reported only. */
  feed: Part & { delaySeconds: number | null };
  acknowledgements: Part & { survives: Survives | null };
  backup: Part & { lastGoodAt: string | null };
};

/** Returns the readiness while the start waits, when nothing else runs. @param waitsFor such as "the database" */
export function waitingReadiness(waitsFor: string): Readiness {
  const unknown = `is unknown: the start waits for ${waitsFor}`;
  return {
    status: "not_ready",
    database: { ok: false, detail: waitsFor === "the database" ? `${WORDS.silent}: the start waits for it` : unknown },
    receiver: { ok: false, detail: `can't store: the start waits for ${waitsFor}` },
    worker: { ok: false, detail: `is not started yet: the start waits for ${waitsFor}`, seenAt: null },
    feed: { ok: false, detail: unknown, delaySeconds: null },
    acknowledgements: { ok: false, detail: unknown, survives: null },
    backup: { ok: false, detail: unknown, lastGoodAt: null },
  };
}

/** Says whether each part is healthy, and if not, why. Answers within 5 s whatever has failed. */
export async function readReadiness(health: CommitHealth): Promise<Readiness> {
  const asked = ping();
  const [found, receiver] = await Promise.all([asked, receiverPart(health, asked)]);
  const refused = recentRefusal();
  const database = { ok: found === "well" && refused === null, detail: refused === null ? WORDS[found] : refusalWords(refused) };
  const parts = [workerPart(found), feedPart(found), acknowledgementsPart(found), backupPart(found)] as const;
  const [worker, feed, acknowledgements, backup] = await Promise.all(parts);
  return {
    status: database.ok && receiver.ok && worker.ok ? "ready" : "not_ready",
    database,
    receiver,
    worker,
    feed,
    acknowledgements,
    backup,
  };
}

const isReadable = (database: Ping) => database === "well" || database === "read_only";

/** Tries the receiver's connections here, where no webhook arrives that could show it healthy again. */
async function receiverPart(health: CommitHealth, asked: Promise<Ping>): Promise<Part> {
  const last = health.state();
  if (!last.ok && last.unreached && (await ping("receiver")) === "well") health.noteReached();
  const state = health.state();
  if (!state.ok) return { ok: false, detail: `can't store: ${state.why}` };
  const found = await asked;
  // Where no webhook has failed yet, only its own connections show that none can be stored.
  const own = found === "well" ? found : await ping("receiver");
  if (own !== "well")
    return { ok: false, detail: `can't store: ${own === "no_connection_free" ? NO_CONNECTION : `the database ${UNSTORED[own]}`}` };
  const locked = isReadable(found) ? await listLockedSources().catch(() => []) : [];
  return locked.length > 0 ? { ok: false, detail: lockedWords(locked) } : { ok: true, detail: "stores incoming events" };
}

function lockedWords(sources: LockedSource[]): string {
  const keys = [...new Set(sources.flatMap(({ keyIds }) => keyIds))].sort().join(", ");
  const names = sources.map(({ name }) => name).join(", ");
  return `can't verify webhooks of ${names}, which are answered 503: the key ${keys} is missing from VAULT_KEYS`;
}

async function feedPart(database: Ping): Promise<Readiness["feed"]> {
  const delaySeconds = isReadable(database) ? await readDelaySeconds() : null;
  const ok = delaySeconds === 0;
  const held = `is ${delaySeconds} s late: a long transaction is holding back new events`;
  return { ok, detail: ok ? "shows new events" : delaySeconds === null ? "is unknown: the database does not respond" : held, delaySeconds };
}

async function acknowledgementsPart(database: Ping): Promise<Readiness["acknowledgements"]> {
  const survives = database === "well" ? await findDurability().catch(() => null) : null;
  if (survives === null) return { ok: false, detail: "are unknown: the database does not accept writes", survives };
  return { ok: SAFE.has(survives), detail: SURVIVAL_WORDS[survives], survives };
}

async function backupPart(database: Ping): Promise<Readiness["backup"]> {
  const readable = isReadable(database);
  const status = readable ? await readBackupStatus().catch(() => null) : null;
  if (!status) return { ok: false, detail: "is unknown: its history is in the database", lastGoodAt: null };
  const { schedule, lastGoodAt, overdue, missing } = status;
  const late = lastGoodAt === null ? "is overdue: there is none yet" : "is overdue: the last good one is older than the schedule allows";
  return {
    ok: !overdue && missing === 0,
    detail: overdue
      ? late
      : missing > 0
        ? `is missing: ${missing} of the kept ones are no longer in BACKUP_DIR`
        : schedule
          ? "is as recent as scheduled"
          : "is not scheduled: neither BACKUP_DIR nor BACKUP_S3_URL is set",
    lastGoodAt,
  };
}

/** Compares times of the database's clock alone: this process's own may be wrong. */
async function workerPart(database: Ping): Promise<Readiness["worker"]> {
  const readable = isReadable(database);
  const last = readable ? await findLastHeartbeat().catch(() => null) : null;
  const alive = last !== null && last.silentMs < WORKER_SILENT_MS;
  const ok = alive && last.refused === null;
  const silence = last ? "has sent no heartbeat for more than 20 s" : "has sent no heartbeat";
  const detail = alive
    ? last.refused === null
      ? "works"
      : refusalWords(last.refused)
    : readable
      ? silence
      : "is unknown: its heartbeats are in the database";
  return { ok, detail, seenAt: last?.seenAt.toISOString() ?? null };
}
