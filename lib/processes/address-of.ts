import type { IncomingMessage } from "node:http";
import { env } from "#lib/config/env";
import { clientAddress } from "#lib/http/client-address";

/** Where a request of the web process's own server comes from. */
export function addressOf(request: IncomingMessage): string | null {
  const forwarded = request.headersDistinct["x-forwarded-for"]?.join(",");
  return clientAddress(request.socket.remoteAddress, forwarded, env().TRUSTED_PROXIES);
}
