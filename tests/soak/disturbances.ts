import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { Agent } from "undici";
import { AT_START, ensurePartitions } from "#lib/db/log-maintenance";
import type { Installation } from "#tests/chaos/installation";
import type { FaultyProxy } from "#tests/support/faulty-proxy";

/** Context of the disturbances. */
export type Site = {
  installation: Installation;
  proxy: FaultyProxy;
  /** The database's address past the proxy. */
  databaseUrl: string;
  /** Hands the sender the secret that it signs with from now on. */
  useSecret: (secret: string) => void;
};

/** Something that happens to the installation while webhooks come in. It resolves when it is over. */
export type Disturbance = { name: string; strike: (site: Site) => Promise<string> };

const SILENCE_MS = 4000;
const DUMP_LINGER_MS = 10_000;
const WRITER_MS = 15_000;
const MONTH_MS = 31 * 86_400_000;
const REBUILD_LIMIT_MS = 240_000;

/** All of them; the soak draws from these. */
export const DISTURBANCES: Disturbance[] = [
  { name: "the worker is killed", strike: async ({ installation }) => killed(installation, "worker") },
  { name: "the web process is killed", strike: async ({ installation }) => killed(installation, "web") },
  { name: "the database's connections go silent", strike: silence },
  { name: "the log is exported", strike: ({ installation }) => exportEvents(installation) },
  { name: "the views are checked", strike: ({ installation }) => rebuild(installation, true) },
  { name: "the views are rebuilt", strike: ({ installation }) => rebuild(installation, false) },
  { name: "the database is dumped", strike: ({ databaseUrl }) => dump(databaseUrl) },
  { name: "partitions are made", strike: ({ databaseUrl }) => makePartitions(databaseUrl) },
  { name: "the secret is rotated", strike: rotate },
  { name: "events are re-delivered", strike: ({ installation }) => redeliver(installation) },
  { name: "another database holds a write open", strike: ({ databaseUrl }) => holdWriter(databaseUrl) },
];

async function killed(installation: Installation, child: "web" | "worker"): Promise<string> {
  await installation.killChild(child);
  await sleep(500);
  return `ready again after ${((await installation.ready()) / 1000).toFixed(1)} s`;
}

/** Open connections stay silent for ever; those made after a few seconds are well. */
async function silence({ proxy, installation }: Site): Promise<string> {
  const began = Date.now();
  await proxy.misbehave("half_open");
  await sleep(SILENCE_MS);
  await proxy.misbehave("none");
  await installation.ready();
  return `ready again ${((Date.now() - began - SILENCE_MS) / 1000).toFixed(1)} s after the way was open`;
}

async function exportEvents(installation: Installation): Promise<string> {
  const { statusCode, bytes } = await call(installation, "GET", "/api/v1/events/export?format=ndjson&period=1h");
  return `${statusCode}, ${(bytes / 1024 ** 2).toFixed(0)} MB`;
}

async function rebuild(installation: Installation, dryRun: boolean): Promise<string> {
  const { statusCode, json } = await call(installation, "POST", "/api/v1/views/rebuilds", { dryRun });
  const { id } = json as { id?: string };
  if (!id) return `answered ${statusCode}`;
  for (const end = Date.now() + REBUILD_LIMIT_MS; Date.now() < end; await sleep(1000)) {
    const { json: now } = await call(installation, "GET", `/api/v1/views/rebuilds/${id}`);
    const { state, report } = now as { state?: string; report?: { missing: number; surplus: number; different: number } | null };
    if (state !== "queued" && state !== "running" && state !== undefined)
      return `${state}${report ? `, missing ${report.missing}, surplus ${report.surplus}, different ${report.different}` : ""}`;
  }
  return "still under way";
}

/** Resolves when no rebuild is under way: one runs at a time, and the comparison at the end is one. */
export async function rebuildsEnded(installation: Installation): Promise<void> {
  for (const end = Date.now() + 3 * REBUILD_LIMIT_MS; Date.now() < end; await sleep(1000)) {
    const { json } = await call(installation, "GET", "/api/v1/views/rebuilds");
    const { data } = json as { data?: { state: string }[] };
    if (data && !data.some(({ state }) => state === "queued" || state === "running")) return;
  }
}

/** Returns what pg_dump does: one snapshot over every table, read to the end and held for a while. */
async function dump(databaseUrl: string): Promise<string> {
  return withClient(databaseUrl, async (client) => {
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY");
    const { rows } = await client.query<{ name: string }>(
      "SELECT quote_ident(relname) AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace",
    );
    let total = 0;
    for (const { name } of rows) total += await readTable(client, name);
    await sleep(DUMP_LINGER_MS);
    await client.query("COMMIT");
    return `${rows.length} tables, ${total} rows`;
  });
}

async function readTable(client: pg.Client, name: string): Promise<number> {
  await client.query(`DECLARE reading NO SCROLL CURSOR FOR SELECT * FROM ${name}`);
  let total = 0;
  for (let more = true; more; ) {
    const { rowCount } = await client.query("MOVE FORWARD 5000 IN reading");
    total += rowCount ?? 0;
    more = rowCount === 5000;
  }
  await client.query("CLOSE reading");
  return total;
}

let monthsAhead = 0;

/** The next month that has none yet, as the daily job makes it. */
async function makePartitions(databaseUrl: string): Promise<string> {
  monthsAhead += 1;
  const later = new Date(Date.now() + monthsAhead * MONTH_MS);
  return withClient(databaseUrl, async (client) => `${await ensurePartitions(later, client, AT_START)} made`);
}

async function rotate({ installation, useSecret }: Site): Promise<string> {
  const { json: list } = await call(installation, "GET", "/api/v1/sources");
  const source = (list as { data?: { id: string; name: string }[] }).data?.find(({ name }) => name === "platform");
  if (!source) return "the source could not be read";
  const { statusCode, json } = await call(installation, "POST", `/api/v1/sources/${source.id}/rotate`, { overlapHours: 1 });
  const { secret } = json as { secret?: string };
  if (secret) useSecret(secret);
  return `answered ${statusCode}`;
}

async function redeliver(installation: Installation): Promise<string> {
  const to = new Date(Date.now() - 20_000).toISOString();
  const from = new Date(Date.now() - 25_000).toISOString();
  const { statusCode, json } = await call(installation, "POST", "/api/v1/redeliveries", { filter: { from, to }, name: "soak" });
  return `${statusCode}, ${(json as { total?: number }).total ?? 0} events`;
}

/** A transaction of another database of the same server, with a transaction id of its own. */
async function holdWriter(databaseUrl: string): Promise<string> {
  await withClient(databaseUrl, (client) => client.query("CREATE DATABASE soak_neighbour").catch(() => undefined));
  const neighbour = new URL(databaseUrl);
  neighbour.pathname = "/soak_neighbour";
  return withClient(neighbour.href, async (client) => {
    await client.query("BEGIN");
    await client.query("SELECT pg_current_xact_id()");
    await sleep(WRITER_MS);
    await client.query("COMMIT");
    return `for ${WRITER_MS / 1000} s`;
  });
}

async function withClient<T>(databaseUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const agent = new Agent({ headersTimeout: 60_000, bodyTimeout: 120_000 });

/** One call of the API. A broken connection is an answer too: others are being killed meanwhile. */
async function call(
  installation: Installation,
  method: "GET" | "POST",
  path: string,
  body?: unknown,
): Promise<{ statusCode: number; json: unknown; bytes: number }> {
  try {
    const answer = await agent.request({
      origin: installation.url,
      path,
      method,
      headers: { authorization: `Bearer ${installation.apiKey}`, ...(body === undefined ? {} : { "content-type": "application/json" }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const isJson = String(answer.headers["content-type"]).includes("json") && !path.includes("/export");
    if (isJson) return { statusCode: answer.statusCode, json: await answer.body.json(), bytes: 0 };
    let bytes = 0;
    for await (const chunk of answer.body) bytes += (chunk as Buffer).length;
    return { statusCode: answer.statusCode, json: {}, bytes };
  } catch {
    return { statusCode: 0, json: {}, bytes: 0 };
  }
}
