import type { IncomingMessage } from "node:http";
import { env } from "#lib/config/env";
import { resolveClientIp } from "#lib/http/client-ip";
import { isLoopback } from "#lib/http/ip-address";

export function clientIp(request: IncomingMessage): string | null {
  const { TRUSTED_PROXIES: proxies } = env();
  const forwarded = proxies === 0 ? undefined : request.headersDistinct["x-forwarded-for"]?.join(",");
  return resolveClientIp(request.socket.remoteAddress, forwarded, proxies);
}

const SET_BY_PROXIES = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"];

/** True for a program on this machine without a proxy: a local proxy brings outside requests from a loopback address. */
export const isFromThisMachine = ({ socket, headers }: IncomingMessage): boolean =>
  isLoopback(socket.remoteAddress ?? "") && SET_BY_PROXIES.every((name) => headers[name] === undefined);
