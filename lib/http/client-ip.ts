import { isIP } from "node:net";

/** Returns the n-th address from the right in `X-Forwarded-For`: each of our n proxies appends one; those left of it may be forged. */
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

/** Turns IPv4 seen through an IPv6 socket into IPv4, and drops brackets and a port. */
function plain(address: string): string {
  const bare = /^\[(.+)\](:\d+)?$/.exec(address)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(address)?.[1] ?? address;
  return bare.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, "");
}
