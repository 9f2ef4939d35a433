import { setTimeout as sleep } from "node:timers/promises";
import { once } from "#lib/context/once";

/** PostgreSQL, appendix A: 08 connection, 53 resources, 57 operator intervention (57014: over its limit), 25006 read-only (a standby). */
const SQLSTATES = /^(08|53|57)[0-9A-Z]{3}$|^25006$/;

/** errno.h and getaddrinfo. */
const SOCKET_CODES = new Set([
  ...["ECONNREFUSED", "ECONNRESET", "ECONNABORTED", "ETIMEDOUT", "EPIPE", "ENOTFOUND", "EAI_AGAIN"],
  ...["EHOSTUNREACH", "EHOSTDOWN", "ENETUNREACH", "ENETDOWN", "EADDRNOTAVAIL"],
]);

/** Prisma's error reference: connection missing, late, closed, none free; transaction not begun in time. */
const PRISMA_CODES = new Set(["P1001", "P1002", "P1008", "P1017", "P2024", "P2028", "P2037"]);

/** `cause.kind` of @prisma/driver-adapter-utils. */
const ADAPTER_KINDS = new Set(["DatabaseNotReachable", "ConnectionClosed", "SocketTimeout", "TooManyConnections"]);

/** pg and pg-pool give these errors no code. */
export const CONNECT_TIMEOUTS = [
  "timeout exceeded when trying to connect",
  "Connection terminated due to connection timeout",
  "timeout expired",
];

/** No code either; the server gives the last one 0A000, as for anything that it can't do. */
const MESSAGES = [
  ...CONNECT_TIMEOUTS,
  "Connection terminated", // also "unexpectedly"
  "Client has encountered a connection error and is not queryable",
  "Client was closed and is not queryable",
  "Query read timeout",
  "Cannot use a pool after calling end on the pool",
  "cannot access temporary or unlogged relations during recovery", // a standby, of the search
];

const MAX_CAUSES = 5;

type Details = {
  code?: unknown;
  errorCode?: unknown;
  kind?: unknown;
  message?: unknown;
  cause?: unknown;
  meta?: unknown;
  errors?: unknown;
};

/** True if the database is unavailable now: the same request may work in a few seconds. Wrapped errors count. */
export const isDatabaseUnavailable = (error: unknown): boolean => unavailabilityOf(error) !== null;

/** Returns the error in the chain of causes that says so; `code` is empty where it has none. */
export function unavailabilityOf(error: unknown, depth = 0): { code: string; message: string } | null {
  if (typeof error !== "object" || error === null || depth > MAX_CAUSES) return null;
  const { code, errorCode, kind, message, cause, meta, errors }: Details = error;
  const words = typeof message === "string" ? message : "";
  const known = [code, errorCode].find((each) => typeof each === "string" && isCode(each));
  if (known) return { code: String(known), message: words };
  if (ADAPTER_KINDS.has(String(kind)) || MESSAGES.some((text) => words.startsWith(text) || words.endsWith(text)))
    return { code: "", message: words };
  const wrapped = [
    cause,
    (meta as { driverAdapterError?: unknown } | undefined)?.driverAdapterError,
    ...(Array.isArray(errors) ? errors : []),
  ];
  for (const inner of wrapped) {
    const found = unavailabilityOf(inner, depth + 1);
    if (found) return found;
  }
  return null;
}

const isCode = (code: string) => SQLSTATES.test(code) || SOCKET_CODES.has(code) || PRISMA_CODES.has(code);

const outage = () => once("database-outage", (): Outage => ({ at: Number.NEGATIVE_INFINITY, refused: null }));

type Outage = { at: number; refused: { at: number; reason: string } | null };

/** A limit of the role, the database or the server. */
const TOO_MANY_CONNECTIONS = "53300";
/** A refusal counts this long: a loop that got no connection asks again within it. */
const REFUSED_FOR_MS = 60_000;

export function noteIfUnavailable(error: unknown): void {
  const found = unavailabilityOf(error);
  if (found === null) return;
  outage().at = performance.now();
  if (found.code === TOO_MANY_CONNECTIONS) outage().refused = { at: performance.now(), reason: found.message };
}

export function recentRefusal(): string | null {
  const { refused } = outage();
  return refused !== null && performance.now() - refused.at < REFUSED_FOR_MS ? refused.reason : null;
}

/** @param since by `performance.now()` */
export const wasUnavailableSince = (since: number): boolean => outage().at >= since;

const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 5000;
const SAY_EVERY_MS = 30_000;

type Waiting = {
  /** Ends the waiting; the last failure is thrown. */
  signal: AbortSignal;
  /** Called at the first failure, and every 30 s. */
  onWait: (reason: string) => void;
  /** True for an unavailability that waiting does not end. */
  isFinal?: (reason: { code: string; message: string }) => boolean;
};

/** Repeats work while the database is unavailable, however long. Other failures (a wrong password) are thrown at once. */
export async function onceAvailable<T>(work: () => Promise<T>, { signal, onWait, isFinal = () => false }: Waiting): Promise<T> {
  let saidAt = Number.NEGATIVE_INFINITY;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
    try {
      return await work();
    } catch (error) {
      const reason = unavailabilityOf(error);
      if (signal.aborted || !isDatabaseUnavailable(error) || (reason && isFinal(reason))) throw error;
      if (performance.now() - saidAt >= SAY_EVERY_MS) {
        saidAt = performance.now();
        onWait(reason?.message || reason?.code || "it does not respond");
      }
      await sleep(pause, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) throw error;
    }
  }
}

/** Returns an error's first line for people, never SQL: pg keeps that out of `message`. */
export const firstLineOf = (error: unknown): string => (error as Error).message.split("\n")[0]?.slice(0, 300) ?? "unknown";
