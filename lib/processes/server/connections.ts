import { readFileSync } from "node:fs";
import type { Server } from "node:http";
import type { Socket } from "node:net";
import { metrics } from "#lib/observability/metrics";

/** Descriptors that are no client's: database connections, files, requests to the platform. Measured: 31 at rest, 13 more with full pools. */
const RESERVED = 96;
/** More connections than this are not worth their memory. */
const MAX_OPEN = 10_000;
/** Number of files that a process may open where the system names no limit (RLIMIT_NOFILE of most systems). */
const USUAL_DESCRIPTORS = 1024;

/**
 * Returns how many connections fit beside the process's own files.
 *
 * @param descriptors how many files and sockets the process may open (`ulimit -n`)
 */
export const connectionLimit = (descriptors: number): number =>
  Math.min(MAX_OPEN, Math.max(Math.floor(descriptors / 4), descriptors - Math.max(RESERVED, Math.floor(descriptors / 10))));

/** Returns how many files and sockets this process may open: Linux says so in /proc. */
export function descriptorLimit(): number {
  try {
    const [, soft = ""] = /^Max open files\s+(\d+|unlimited)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
    return soft === "unlimited" ? Number.MAX_SAFE_INTEGER : Number(soft) || USUAL_DESCRIPTORS;
  } catch {
    return USUAL_DESCRIPTORS;
  }
}

/**
 * Bounds a server's connections. Close to the limit a new connection closes the
 * one that has been without a request for the longest; at the limit, when all
 * have one, it is closed itself.
 *
 * @param limit connections at once
 */
export function limitConnections(server: Server, limit: number): void {
  server.maxConnections = limit;
  const roomAlways = Math.max(1, Math.floor(limit / 10));
  const requests = new Map<Socket, number>();
  /** Connections without a request, the longest first. */
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
