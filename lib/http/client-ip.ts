import { isIP } from "node:net";

/**
 * The address that a request comes from. `X-Forwarded-For` is believed only as
 * far as our own proxies wrote it: each appends the address that it saw, so
 * with n of them the n-th entry from the right is the client, and what stands
 * left of it is whatever the client made up.
 *
 * @param socketAddress the other end of the connection
 * @param forwardedFor the header as it came
 * @param trustedProxies how many proxies of ours stand in front (TRUSTED_PROXIES)
 */
export function resolveClientIp(
  socketAddress: string | undefined,
  forwardedFor: string | undefined,
  trustedProxies: number,
): string | null {
  const direct = socketAddress ? plain(socketAddress) : null;
  if (trustedProxies === 0) return direct;
  const written = (forwardedFor ?? "").split(",").map((entry) => plain(entry.trim()));
  const client = written.at(-trustedProxies) ?? "";
  return isIP(client) ? client : direct;
}

/** IPv4 seen through an IPv6 socket is IPv4; brackets and a port are dropped. */
function plain(address: string): string {
  const bare = /^\[(.+)\](:\d+)?$/.exec(address)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(address)?.[1] ?? address;
  return bare.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, "");
}
