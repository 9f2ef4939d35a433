import { once } from "node:events";
import { openWire, statusOf } from "./raw-request.ts";

const CHUNK = Buffer.alloc(65_536, "x");
const CHUNKED = Buffer.concat([Buffer.from(`${CHUNK.length.toString(16)}\r\n`), CHUNK, Buffer.from("\r\n")]);

/** Result of a sender: the status of the answer, 0 when the connection was reset without one. */
export type EndlessResult = { status: number; sentBytes: number };

/**
 * Sends a body of so many bytes and more, and stops for nothing but the end of the connection.
 *
 * @param announced sends a true length, else chunks without one
 */
export async function sendWithoutEnd(port: number, head: string, bytes: number, announced: boolean): Promise<EndlessResult> {
  const { socket, heard, ended } = openWire(port);
  let gone = false;
  void ended.then(() => (gone = true));
  const length = announced ? `content-length: ${bytes}` : "transfer-encoding: chunked";
  socket.write(`${head}\r\nhost: localhost\r\n${length}\r\n\r\n`);
  let sentBytes = 0;
  for (; sentBytes < bytes && !gone; sentBytes += CHUNK.length) {
    if (socket.write(announced ? CHUNK : CHUNKED)) await new Promise(setImmediate);
    else await Promise.race([once(socket, "drain").catch(() => undefined), ended]);
  }
  if (!announced && !gone) socket.write("0\r\n\r\n");
  await ended;
  return { status: statusOf(heard()), sentBytes };
}
