const LOW_PORTS = [80, 443];

export type TargetUrl = { href: string; origin: string; host: string; port: number; secure: boolean; path: string };

/** Reads a URL as browsers do (WHATWG): unusual forms of IPv4 addresses and international names come out in one form to check. */
export function readTargetUrl(text: string): { ok: true; target: TargetUrl } | { ok: false; reason: string } {
  const url = URL.parse(text.trim());
  if (!url || !/^https?:$/.test(url.protocol)) return no("Enter an https:// URL, for example https://app.example.com/webhooks.");
  if (url.username !== "" || url.password !== "") return no("The URL must not contain a user name or password.");
  if (url.hash !== "") return no("The URL must not contain a fragment (#...).");
  const secure = url.protocol === "https:";
  const port = url.port === "" ? (secure ? 443 : 80) : Number(url.port);
  if (port < 1024 && !LOW_PORTS.includes(port)) return no(`Port ${port} can't be used: only 80, 443 and 1024 to 65535.`);
  const host = hostOf(url.hostname);
  if (host === "") return no("The URL has no host name.");
  return { ok: true, target: { href: url.href, origin: url.origin, host, port, secure, path: `${url.pathname}${url.search}` } };
}

/** Removes the brackets of an IPv6 address and the dot that ends a full name. */
const hostOf = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.+$/, "");

const no = (reason: string) => ({ ok: false as const, reason });
