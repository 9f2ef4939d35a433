import { mkdirSync } from "node:fs";
import path from "node:path";
import { EVERYTHING_WAITING } from "#tests/support/waiting";
import { externalSecrets, Installation } from "../../chaos/installation.ts";
import { say, startBareServer } from "../harness.ts";
import { type StartSubject, WARM } from "./measure.ts";
import type { MeasuredServer } from "./measured-server.ts";

/** True once a table holds so many rows. */
export async function holds(server: MeasuredServer, table: string, total: number): Promise<boolean> {
  const [row] = await server.query<{ n: string }>(`SELECT count(*) AS n FROM ${table}`);
  return Number(row?.n) === total;
}

/** A bare receiver that only stores (bare-server.ts). */
export const startBare: StartSubject = async (server) => {
  const { port, pid, stop } = await startBareServer(server.url);
  return { target: { port, path: "/" }, web: pid, worker: null, isThrough: (total) => holds(server, "bare_events", total), stop };
};

/** Signalbox, from the socket until an event stands in its record and in the search. */
export const startSignalbox: StartSubject = async (server, folder) => {
  mkdirSync(path.join(folder, "data"));
  const installation = new Installation(path.join(folder, "data"), {
    environment: { DATABASE_URL: server.url, SANDBOX: "off", ...externalSecrets() },
  });
  await installation.start();
  return {
    target: { port: Number(new URL(installation.url).port), path: "/webhooks/platform", secret: installation.secret },
    web: installation.childPid("web"),
    worker: installation.childPid("worker"),
    isThrough: (total) => isApplied(server, total),
    stop: async () => {
      await printRecords(server);
      await installation.stop();
    },
  };
};

/** Looking is to cost little: only once all are applied, they are counted. */
async function isApplied(server: MeasuredServer, total: number): Promise<boolean> {
  const [log] = await server.query<{ applied: boolean }>(
    `SELECT bool_and(p.seq >= (SELECT last_value FROM events_seq)) AND NOT EXISTS (SELECT 1 FROM log_ranges WHERE ended_at IS NULL) AS applied
     FROM log_places p`,
  );
  if (log?.applied !== true) return false;
  const [row] = await server.query<{ filed: string; waiting: boolean }>(
    `SELECT (SELECT count(*) FROM event_search) AS filed, EXISTS (SELECT 1 FROM ${EVERYTHING_WAITING} w) AS waiting`,
  );
  return row?.waiting === false && Number(row.filed) === total;
}

async function printRecords(server: MeasuredServer): Promise<void> {
  const [views] = await server.query<{ made: string; updated: string; hot: string }>(
    "SELECT n_tup_ins AS made, n_tup_upd AS updated, n_tup_hot_upd AS hot FROM pg_stat_user_tables WHERE relname = 'views'",
  );
  say(
    `    records: ${views?.made} made, ${views?.updated} updated, of them ${views?.hot} in place (HOT), the first ${WARM} events included`,
  );
}
