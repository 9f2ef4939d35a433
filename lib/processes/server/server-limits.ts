import { readFileSync } from "node:fs";
import type { Server } from "node:http";
import type { Socket } from "node:net";
import { metrics } from "#lib/observability/metrics";

/** Descriptors that are no client's (databases, files, the platform). Measured: 31 at rest, 13 more with full pools. */
const RESERVED = 96;
/** More connections are not worth their memory. */
const MAX_OPEN = 10_000;
/** RLIMIT_NOFILE of most systems. */
const USUAL_DESCRIPTORS = 1024;

/** Returns how many connections fit next to the process's own files. @param descriptors as of `ulimit -n` */
export const connectionLimit = (descriptors: number): number =>
  Math.min(MAX_OPEN, Math.max(Math.floor(descriptors / 4), descriptors - Math.max(RESERVED, Math.floor(descriptors / 10))));

export function descriptorLimit(): number {
  try {
    const [, soft = ""] = /^Max open files\s+(\d+|unlimited)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
    return soft === "unlimited" ? Number.MAX_SAFE_INTEGER : Number(soft) || USUAL_DESCRIPTORS;
  } catch {
    return USUAL_DESCRIPTORS;
  }
}

/** Bounds connections. Near the limit a new one closes the one that was idle longest; without an idle one it is closed itself. */
export function limitConnections(server: Server, limit: number): void {
  server.maxConnections = limit;
  const roomAlways = Math.max(1, Math.floor(limit / 10));
  const requests = new Map<Socket, number>();
  /** The longest without a request first. */
  const idle = new Set<Socket>();
  const { connections, connectionsClosed } = metrics();

  server.on("connection", (socket: Socket) => {
    const [oldest] = idle;
    if (oldest && requests.size >= limit - roomAlways) {
      idle.delete(oldest);
      connectionsClosed.inc({ reason: "idle" });
      oldest.destroy();
    }
    requests.set(socket, 0);
    idle.add(socket);
    connections.set(requests.size);
    socket.once("close", () => {
      requests.delete(socket);
      idle.delete(socket);
      connections.set(requests.size);
    });
  });
  server.prependListener("request", ({ socket }, response) => {
    requests.set(socket, (requests.get(socket) ?? 0) + 1);
    idle.delete(socket);
    response.once("close", () => {
      const left = (requests.get(socket) ?? 1) - 1;
      if (socket.destroyed) return;
      requests.set(socket, left);
      if (left === 0) idle.add(socket);
    });
  });
  server.on("drop", () => connectionsClosed.inc({ reason: "limit" }));
}

/** A proxy keeps connections for about a minute; one that we close first costs it the request that it just sent. */
const BEHIND_PROXIES_MS = 65_000;
const DIRECT_MS = 5000;

/** Bounds a request's head and whole, and idle connections: longer behind proxies (docs/decisions/0035). Milliseconds. */
export const serverTimeouts = (trustedProxies: number) => ({
  headersTimeout: 5000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 1000,
  keepAliveTimeout: trustedProxies > 0 ? BEHIND_PROXIES_MS : DIRECT_MS,
});
