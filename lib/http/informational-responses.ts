import type { Socket } from "node:net";
import { Agent, buildConnector } from "undici";

const INFORMATIONAL = /^HTTP\/1\.1 1(?!01)\d\d/;
const HEAD_END = "\r\n\r\n";
/** A longer head is left to undici, which rejects it. */
const MAX_HEAD = 16_384;

/**
 * Takes informational responses out of what a socket reads after each write. A client must be able to read one that it did not ask for
 * (RFC 9110 section 15.2), and undici ends the connection at `100 Continue`: the request was taken, and would be sent again.
 */
export function withoutInformational<S extends Socket>(socket: S): S {
  const read = socket.read.bind(socket);
  const write = socket.write.bind(socket) as (...given: unknown[]) => boolean;
  /** Beginning of a response until its status is known; null while nothing is looked at. */
  let head: string | null = null;
  socket.write = (...given: unknown[]) => {
    head ??= "";
    return write(...given);
  };
  socket.read = (size?: number) => {
    const chunk: Buffer | null = read(size);
    if (head === null || chunk === null) return chunk;
    const text = head + chunk.toString("latin1");
    const rest = afterInformational(text);
    head = isUndecided(rest) ? rest : null;
    if (head !== null) return null;
    return rest.length === chunk.length ? chunk : Buffer.from(rest, "latin1");
  };
  return socket;
}

function afterInformational(text: string): string {
  let rest = text;
  for (let end = 0; INFORMATIONAL.test(rest) && end >= 0; ) {
    end = rest.indexOf(HEAD_END);
    if (end >= 0) rest = rest.slice(end + HEAD_END.length);
  }
  return rest;
}

const isUndecided = (rest: string): boolean =>
  rest.length < MAX_HEAD && (INFORMATIONAL.test(rest) || (rest.length < 12 && "HTTP/1.1 1".startsWith(rest.slice(0, 10))));

const connect = buildConnector({});

/** For `request` of undici: any server may send `100 Continue`. */
export const agent = new Agent({
  connect: (options, callback) =>
    connect(options, (...[error, socket]) => (error ? callback(error, null) : callback(null, withoutInformational(socket)))),
});
