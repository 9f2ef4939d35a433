import { connect, type Socket } from "node:net";

/** A connection on which anything may be said. */
export type Wire = { socket: Socket; heard: () => string; ended: Promise<string> };

/** Opens a connection to a receiver on this machine. */
export function openWire(port: number): Wire {
  const socket = connect(port, "127.0.0.1");
  let heard = "";
  socket.on("data", (chunk: Buffer) => (heard += chunk.toString("latin1")));
  socket.on("error", () => undefined); // a receiver that cuts may reset; what was heard counts
  const ended = new Promise<string>((resolve) => socket.once("close", () => resolve(heard)));
  return { socket, heard: () => heard, ended };
}

/** Says bytes, and returns all that is heard until the receiver closes. */
export function sayRaw(port: number, ...pieces: (string | Uint8Array)[]): Promise<string> {
  const { socket, ended } = openWire(port);
  socket.write(Buffer.concat(pieces.map((piece) => (typeof piece === "string" ? Buffer.from(piece, "latin1") : piece))));
  return ended;
}

/** A request's head; the connection ends after its answer. */
export const headOf = (source: string, headers: Record<string, string>): string =>
  [
    `POST /webhooks/${source} HTTP/1.1`,
    "host: localhost",
    "connection: close",
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    "",
    "",
  ].join("\r\n");

/** The status of a raw answer; 0 when the connection ended without one. */
export const statusOf = (heard: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(heard)?.[1] ?? 0);
