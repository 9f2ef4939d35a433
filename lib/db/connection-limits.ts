import { connectionOptions, DatabaseClient } from "./client.ts";
import { LEAST_CONNECTIONS, PROCESS_NAMES, type ProcessKind, poolSizes, wantedConnections } from "./pool-sizes.ts";

/** What the server allows to all processes together. `raise`: the statement or setting that allows more. */
type Limit = { of: "role" | "database" | "server"; allows: number; raise: (to: number) => string };

type Row = { role: number | null; roleName: string; database: number | null; databaseName: string; server: number; reserved: number };

const LIMITS = `SELECT r.rolname AS "roleName", CASE WHEN NOT r.rolsuper THEN nullif(r.rolconnlimit, -1) END AS role,
    d.datname AS "databaseName", CASE WHEN NOT r.rolsuper THEN nullif(d.datconnlimit, -1) END AS database,
    current_setting('max_connections')::int AS server,
    current_setting('superuser_reserved_connections')::int + coalesce(current_setting('reserved_connections', true), '0')::int AS reserved
  FROM pg_roles r, pg_database d WHERE r.rolname = current_user AND d.datname = current_database()`;

async function findLimit(databaseUrl: string): Promise<Limit> {
  const client = new DatabaseClient(connectionOptions(databaseUrl, { name: "signalbox-start", statementMs: 5000, connectMs: 5000 }));
  await client.connect();
  try {
    const { rows } = await client.query<Row>(LIMITS);
    const [row] = rows;
    if (!row) throw new Error("The database does not say how many connections it allows.");
    const { role, roleName, database, databaseName, server, reserved } = row;
    const quote = (name: string) => client.escapeIdentifier(name);
    const limits: (Omit<Limit, "allows"> & { allows: number | null })[] = [
      { of: "role", allows: role, raise: (to) => `ALTER ROLE ${quote(roleName)} CONNECTION LIMIT ${to}` },
      { of: "database", allows: database, raise: (to) => `ALTER DATABASE ${quote(databaseName)} CONNECTION LIMIT ${to}` },
      { of: "server", allows: server - reserved, raise: (to) => `max_connections = ${to + reserved}` },
    ];
    const known = limits.filter((each): each is Limit => each.allows !== null);
    return known.reduce((narrowest, each) => (each.allows < narrowest.allows ? each : narrowest));
  } finally {
    await client.end();
  }
}

/** Processes that a start runs, or the one of which nothing else is known. */
export type StartedKinds = readonly ProcessKind[];

/** `sizes`: connections of each process. `words`: a line for people, where they are fewer than wanted. */
export type ConnectionPlan =
  | { outcome: "fits"; sizes: Record<ProcessKind, number> }
  | { outcome: "shrunk"; sizes: Record<ProcessKind, number>; words: string }
  | { outcome: "too_few"; words: string };

/**
 * Divides what role, database and server allow between one web process and one worker, unless DATABASE_POOL says how much a process that
 * is started alone may take. @throws EnvError if DATABASE_POOL is below what a process needs
 */
export async function planConnections(databaseUrl: string, kinds: StartedKinds, isChosen: boolean): Promise<ConnectionPlan> {
  for (const kind of kinds) poolSizes(kind, wantedConnections(kind));
  return divide(await findLimit(databaseUrl), kinds, isChosen);
}

/** Pure. @param isChosen DATABASE_POOL is set: beside a process that is started alone, others have theirs */
export function divide(limit: Pick<Limit, "of" | "allows" | "raise">, kinds: StartedKinds, isChosen: boolean): ConnectionPlan {
  const counted: StartedKinds = isChosen && kinds.length === 1 ? kinds : ["web", "worker"];
  const wants = { web: wantedConnections("web"), worker: wantedConnections("worker") };
  const total = (of: Record<ProcessKind, number>) => counted.reduce((sum, kind) => sum + of[kind], 0);
  const [needed, least] = [total(wants), total(LEAST_CONNECTIONS)];
  if (limit.allows >= needed) return { outcome: "fits", sizes: wants };
  const tooFew = `Too few connections: the ${limit.of} allows ${limit.allows}`;
  const toSet = `Raise it (${limit.raise(needed)})`;
  const own = kinds.reduce((sum, kind) => sum + LEAST_CONNECTIONS[kind], 0);
  if (limit.allows < own)
    return {
      outcome: "too_few",
      words: `${tooFew}; ${listed(kinds, LEAST_CONNECTIONS, "needs at least")}. ${toSet}, or at least to ${least}.`,
    };
  // One is left for a backup or a person, where that is possible.
  const extra = Math.max(0, limit.allows - least - 1);
  const sizeOf = (kind: ProcessKind) =>
    LEAST_CONNECTIONS[kind] + Math.floor((extra * (wants[kind] - LEAST_CONNECTIONS[kind])) / Math.max(1, needed - least));
  const sizes = { web: sizeOf("web"), worker: sizeOf("worker") };
  const words = `${tooFew}; ${listed(counted, wants, "takes up to")}. Now ${listed(kinds, sizes, "has")}: slower under load. ${toSet}, or set DATABASE_POOL where more processes share it.`;
  return { outcome: "shrunk", sizes, words };
}

/** Returns `a web process takes up to 19, a worker 26`. */
function listed(kinds: StartedKinds, numbers: Record<ProcessKind, number>, verb: string): string {
  return kinds
    .map((kind, index) => (index === 0 ? `${PROCESS_NAMES[kind]} ${verb} ${numbers[kind]}` : `${PROCESS_NAMES[kind]} ${numbers[kind]}`))
    .join(", ");
}
