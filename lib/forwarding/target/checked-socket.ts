import { request } from "node:http";
import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { env } from "#lib/config/env";
import { inTime } from "#lib/context/in-time";
import { ForwardError, forwardErrorOf } from "../attempt/outcomes.ts";
import { checkTarget, isReceivingApp, mayTalkTo, type Resolve } from "./check-target.ts";
import type { TargetUrl } from "./target-url.ts";

/** Looking the name up, connecting and the TLS handshake together. Milliseconds. */
export const CONNECT_TIMEOUT_MS = 5000;

/** A connection to a target and how long its parts took, in milliseconds. */
export type CheckedSocket = { socket: Socket; remoteAddress: string; dnsMs: number; connectMs: number; tlsMs: number | null };

/**
 * Opens a connection to a target: checks it, connects to one of the addresses
 * that were checked (never to what the name resolves to a moment later), and
 * looks at the socket's address once more. Within 5 seconds.
 *
 * @throws ForwardError
 */
export async function openCheckedSocket(url: string, resolve?: Resolve): Promise<CheckedSocket> {
  const opened: Socket[] = [];
  const late = (): never => {
    throw new ForwardError("connect_timeout", `No connection within ${CONNECT_TIMEOUT_MS / 1000} seconds`);
  };
  const keep = <S extends Socket>(socket: S): S => {
    opened.push(socket);
    return socket;
  };
  try {
    return await inTime(open(url, keep, resolve), CONNECT_TIMEOUT_MS, late);
  } catch (error) {
    for (const socket of opened) socket.destroy();
    throw forwardErrorOf(error);
  }
}

type Keep = <S extends Socket>(socket: S) => S;

async function open(url: string, keep: Keep, resolve?: Resolve): Promise<CheckedSocket> {
  const start = performance.now();
  const checked = await checkTarget(url, resolve);
  if (!checked.ok) throw new ForwardError(checked.code, checked.reason);
  const { target, addresses } = checked;
  const resolved = performance.now();
  const { socket: raw, address } = await connectToAny(addresses, target, keep);
  const connected = performance.now();
  const socket = target.secure ? await handshake(raw, target, keep) : raw;
  const done = performance.now();
  socket.setNoDelay(true);
  return {
    socket,
    remoteAddress: address,
    dnsMs: Math.round(resolved - start),
    connectMs: Math.round(connected - resolved),
    tlsMs: target.secure ? Math.round(done - connected) : null,
  };
}

/** The first address that accepts; the last one's error when none does. */
async function connectToAny(addresses: string[], target: TargetUrl, keep: Keep): Promise<{ socket: Socket; address: string }> {
  let failure: unknown;
  for (const address of addresses) {
    try {
      return { socket: await connectTo(address, target, keep), address };
    } catch (error) {
      failure = error;
      if (error instanceof ForwardError) break;
    }
  }
  throw failure;
}

async function connectTo(address: string, target: TargetUrl, keep: Keep): Promise<Socket> {
  const proxy = env().FORWARD_PROXY;
  if (proxy !== undefined && !isReceivingApp(target)) return tunnel(new URL(proxy), address, target.port, keep);
  const socket = keep(connectTcp({ host: address, port: target.port, noDelay: true }));
  await settled(socket, "connect");
  if (!mayTalkTo(socket.remoteAddress, target)) {
    socket.destroy();
    throw new ForwardError("refused", "The connection ended at an address that may not be called");
  }
  return socket;
}

/** A tunnel through the proxy to the address that was checked, so that the proxy looks up no name of its own. */
function tunnel(proxy: URL, address: string, port: number, keep: Keep): Promise<Socket> {
  const authority = `${isIP(address) === 6 ? `[${address}]` : address}:${port}`;
  const credentials = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  const headers = {
    host: authority,
    ...(credentials !== ":" && { "proxy-authorization": `Basic ${Buffer.from(credentials).toString("base64")}` }),
  };
  const failed = (why: string) => new ForwardError("proxy_failed", `FORWARD_PROXY ${why}`);
  return new Promise((resolve, reject) => {
    const ask = request({ host: proxy.hostname, port: proxy.port || 80, method: "CONNECT", path: authority, headers, agent: false });
    ask.once("socket", (socket) => keep(socket));
    ask.once("connect", (answer, socket, head) => {
      if (answer.statusCode !== 200 || head.length > 0) {
        socket.destroy();
        reject(failed(`answered ${answer.statusCode} when asked for a tunnel`));
      } else resolve(socket);
    });
    ask.once("response", (answer) => {
      answer.destroy();
      reject(failed(`answered ${answer.statusCode} when asked for a tunnel`));
    });
    ask.once("error", (error: NodeJS.ErrnoException) => reject(failed(`can't be used: ${error.code ?? "no answer"}`)));
    ask.end();
  });
}

async function handshake(raw: Socket, { host }: TargetUrl, keep: Keep): Promise<TLSSocket> {
  const name = isIP(host) === 0 ? { servername: host } : {};
  const socket = keep(connectTls({ socket: raw, host, ALPNProtocols: ["http/1.1"], ...name }));
  let expired: string | undefined;
  // Read before the certificate is judged: afterwards the connection is gone, and with it the date.
  socket.prependListener("secure", () => {
    const until = Date.parse(socket.getPeerCertificate().valid_to ?? "");
    if (until < Date.now()) expired = new Date(until).toISOString().slice(0, 10);
  });
  try {
    await settled(socket, "secureConnect");
  } catch (error) {
    const failure = forwardErrorOf(error);
    if (failure.outcome === "tls_expired" && expired) throw new ForwardError("tls_expired", `The certificate expired on ${expired}`);
    if (failure.outcome === "malformed_answer") throw new ForwardError("tls_failed", "The TLS handshake failed");
    throw failure;
  }
  return socket;
}

function settled(socket: Socket, event: "connect" | "secureConnect"): Promise<void> {
  return new Promise((resolve, reject) => {
    const closed = () => reject(new ForwardError("connection_reset", "The connection was closed while it was being made"));
    const done = () => {
      socket.removeListener("error", reject);
      socket.removeListener("close", closed);
      resolve();
    };
    socket.once(event, done);
    socket.once("error", reject);
    socket.once("close", closed);
  });
}
