import { type ClientRequest, request } from "node:http";
import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { env } from "#lib/config/env";
import type { AttemptOutcome } from "#lib/contracts/forwarding/deliveries";
import { systemClock } from "#lib/time/clock";
import { inTime } from "#lib/time/waits";
import { ForwardError, forwardErrorOf } from "./attempt/outcomes.ts";
import { checkTarget, hostOf, isReceivingApp, mayTalkTo, type Resolve, type TargetUrl } from "./check-target.ts";

/** Limit of look-up, connection and TLS handshake together. Milliseconds. */
const CONNECT_TIMEOUT_MS = 5000;

export type CheckedSocket = { socket: Socket; remoteAddress: string; dnsMs: number; connectMs: number; tlsMs: number | null };

/** Connects to an address that was checked, never to one that the name resolves to a moment later. @throws ForwardError */
export async function openCheckedSocket(url: string, resolve?: Resolve, timeoutMs = CONNECT_TIMEOUT_MS): Promise<CheckedSocket> {
  const opening = new Opening();
  const late = (): never => {
    throw opening.lateness(timeoutMs);
  };
  try {
    return await inTime(open(url, opening, resolve), timeoutMs, late);
  } catch (error) {
    opening.giveUp();
    throw forwardErrorOf(error);
  }
}

async function open(url: string, opening: Opening, resolve?: Resolve): Promise<CheckedSocket> {
  const start = performance.now();
  const checked = await checkTarget(url, resolve);
  if (!checked.ok) throw new ForwardError(checked.code, checked.what);
  const { target, addresses } = checked;
  const resolved = performance.now();
  const { socket: raw, address } = await connectToAny(addresses, target, opening);
  const connected = performance.now();
  const socket = target.secure ? await handshake(raw, target, opening) : raw;
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

/** Connects to the first address that accepts; throws the last one's error when none does. */
async function connectToAny(addresses: string[], target: TargetUrl, opening: Opening): Promise<{ socket: Socket; address: string }> {
  let failure: unknown;
  for (const address of addresses) {
    opening.assertWanted();
    try {
      return { socket: await connectTo(address, target, opening), address };
    } catch (error) {
      failure = error;
      // If a proxy can't reach one address, it may reach the next, as without a proxy.
      if (error instanceof ForwardError && error.outcome !== "unreachable") break;
    }
  }
  throw failure;
}

async function connectTo(address: string, target: TargetUrl, opening: Opening): Promise<Socket> {
  const proxy = env().FORWARD_PROXY;
  if (proxy !== undefined && !isReceivingApp(target)) return openTunnel(new URL(proxy), address, target.port, opening);
  const socket = opening.keep(connectTcp({ host: address, port: target.port, noDelay: true }));
  await settled(socket, "connect");
  if (!mayTalkTo(socket.remoteAddress, target)) {
    socket.destroy();
    throw new ForwardError("refused", "The connection reached an address that is not allowed");
  }
  return socket;
}

async function handshake(raw: Socket, { host }: TargetUrl, opening: Opening): Promise<TLSSocket> {
  const name = isIP(host) === 0 ? { servername: host } : {};
  const socket = opening.keep(connectTls({ socket: raw, host, ALPNProtocols: ["http/1.1"], ...name }));
  let expired: string | undefined;
  // Read before the certificate is verified: afterwards the connection is gone, and with it the date.
  socket.prependListener("secure", () => {
    const until = Date.parse(socket.getPeerCertificate().valid_to ?? "");
    if (until < systemClock.now()) expired = new Date(until).toISOString().slice(0, 10);
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

/** The proxy could not reach the target (RFC 9110, sections 15.6.3 to 15.6.5). Every other refusal is the proxy's own. */
const TARGET_STATUSES: (number | undefined)[] = [502, 503, 504];

/**
 * Opens a tunnel to the checked address, so that the proxy looks up no name. A silent proxy counts as a silent target: most wait longer for
 * a dead target than we do, and as the proxy's failure it would be tried forever without an alert. @throws ForwardError
 */
function openTunnel(proxy: URL, address: string, port: number, opening: Opening): Promise<Socket> {
  const authority = `${isIP(address) === 6 ? `[${address}]` : address}:${port}`;
  return new Promise((resolve, reject) => {
    const ask = askFor(authority, proxy);
    opening.waitFor("proxy_failed", "FORWARD_PROXY did not accept the connection");
    ask.once("socket", (socket) => {
      opening.keep(socket);
      socket.once("connect", () =>
        opening.waitFor("connect_timeout", `FORWARD_PROXY did not respond when asked for a tunnel to ${authority}`),
      );
    });
    ask.once("connect", ({ statusCode }, socket, head) => {
      opening.waitFor("connect_timeout", "No connection");
      if (statusCode === 200 && head.length === 0) return resolve(socket);
      socket.destroy();
      reject(refusalOf(statusCode, authority));
    });
    ask.on("error", (error: NodeJS.ErrnoException) =>
      reject(new ForwardError("proxy_failed", `FORWARD_PROXY can't be used: ${error.code ?? "no answer"}`)),
    );
    ask.end();
  });
}

function askFor(authority: string, proxy: URL): ClientRequest {
  const credentials = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  const headers = {
    host: authority,
    ...(credentials !== ":" && { "proxy-authorization": `Basic ${Buffer.from(credentials).toString("base64")}` }),
  };
  return request({ host: hostOf(proxy.hostname), port: proxy.port || 80, method: "CONNECT", path: authority, headers, agent: false });
}

function refusalOf(status: number | undefined, authority: string): ForwardError {
  if (TARGET_STATUSES.includes(status))
    return new ForwardError("unreachable", `FORWARD_PROXY can't reach ${authority}: it answered ${status}`);
  const hint = status === 407 ? ": its URL needs a user name and password (http://user:password@proxy:3128)" : "";
  return new ForwardError("proxy_failed", `FORWARD_PROXY answered ${status} when asked for a tunnel${hint}`);
}

/** A connection that is being made: its sockets, and the outcome if time ends now. */
class Opening {
  private readonly sockets: Socket[] = [];
  private isGivenUp = false;
  private late: [AttemptOutcome, string] = ["connect_timeout", "No connection"];

  /** Takes a socket. One that comes after the connection was given up is destroyed at once: it would never be closed. */
  keep<S extends Socket>(socket: S): S {
    // Never removed: an error of a socket without a listener would end the process.
    socket.on("error", () => undefined);
    this.sockets.push(socket);
    if (this.isGivenUp) socket.destroy();
    return socket;
  }

  /** Closes present and future sockets. */
  giveUp(): void {
    this.isGivenUp = true;
    for (const socket of this.sockets) socket.destroy();
  }

  /** @throws Error when it was given up: then nothing more is begun */
  assertWanted(): void {
    if (this.isGivenUp) throw new Error("the connection was given up");
  }

  /** Sets the failure if time ends now. @param what text that "within 5 seconds" may follow */
  waitFor(outcome: AttemptOutcome, what: string): void {
    this.late = [outcome, what];
  }

  lateness(limitMs: number): ForwardError {
    const [outcome, what] = this.late;
    return new ForwardError(outcome, `${what} within ${limitMs / 1000} seconds`);
  }
}
