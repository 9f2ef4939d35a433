import { environment } from "../environment.ts";
import { usageError } from "../output/exit.ts";
import { isLoopback } from "../settings.ts";

const NAMES = { "http:": ["http_proxy", "HTTP_PROXY"], "https:": ["https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY"] };

/** Returns the variable that names a proxy for a URL; null for none. This machine is asked directly. */
export function proxyVariable(url: string): string | null {
  const { protocol, hostname } = new URL(url);
  if (isLoopback(hostname)) return null;
  return NAMES[protocol as keyof typeof NAMES].find((name) => environment[name]) ?? null;
}

/**
 * `fetch`, through the proxy of the environment where there is one: Node's own knows of none.
 *
 * @throws CliError where the environment names a proxy by something that is no URL
 */
export async function fetchFor(url: string): Promise<typeof fetch> {
  if (proxyVariable(url) === null) return fetch;
  const wrong = Object.values(NAMES)
    .flat()
    .find((name) => environment[name] && !isProxyUrl(environment[name]));
  if (wrong) throw usageError(`${wrong} is not a proxy URL.`, "Write it as http://proxy.example:8080");
  const { EnvHttpProxyAgent, fetch: fetchThrough } = await import("undici");
  const dispatcher = new EnvHttpProxyAgent();
  return ((input: string, init: object) => fetchThrough(input, { ...init, dispatcher })) as unknown as typeof fetch;
}

const isProxyUrl = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
