import { environment } from "../environment.ts";
import { isLoopback } from "../settings.ts";

const NAMES = { "http:": ["http_proxy", "HTTP_PROXY"], "https:": ["https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY"] };

/** Returns the variable that names a proxy for a URL; null for none. This machine is asked directly. */
export function proxyVariable(url: string): string | null {
  const { protocol, hostname } = new URL(url);
  if (isLoopback(hostname)) return null;
  return NAMES[protocol as keyof typeof NAMES].find((name) => environment[name]) ?? null;
}

/** `fetch`, through the proxy of the environment where there is one: Node's own knows of none. */
export async function fetchFor(url: string): Promise<typeof fetch> {
  if (proxyVariable(url) === null) return fetch;
  const { EnvHttpProxyAgent, fetch: fetchThrough } = await import("undici");
  const dispatcher = new EnvHttpProxyAgent();
  return ((input: string, init: object) => fetchThrough(input, { ...init, dispatcher })) as unknown as typeof fetch;
}
