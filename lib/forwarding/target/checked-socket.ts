import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { env } from "#lib/config/env";
import { systemClock } from "#lib/time/clock";
import { inTime } from "#lib/time/in-time";
import { ForwardError, forwardErrorOf } from "../attempt/outcomes.ts";
import { checkTarget, isReceivingApp, mayTalkTo } from "./check-target.ts";
import { Opening } from "./opening.ts";
import { openTunnel } from "./proxy-tunnel.ts";
import type { Resolve } from "./system-resolver.ts";
import type { TargetUrl } from "./target-url.ts";

/** Limit of look-up, connection and TLS handshake together. Milliseconds. */
export const CONNECT_TIMEOUT_MS = 5000;

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
  if (!checked.ok) throw new ForwardError(checked.code, checked.reason);
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
