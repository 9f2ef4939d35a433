import { environment } from "../environment.ts";
import { usageError } from "../output/exit.ts";
import { isLoopback } from "../settings.ts";

const NAMES = { "http:": ["http_proxy", "HTTP_PROXY"], "https:": ["https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY"] };

/** Returns the variable that sets a proxy for a URL. This machine is connected to directly. */
export function proxyVariable(url: string): string | null {
  const { protocol, hostname } = new URL(url);
  if (isLoopback(hostname)) return null;
  return NAMES[protocol as keyof typeof NAMES].find((name) => environment[name]) ?? null;
}

/** Returns a `fetch` that uses the environment's proxy, which Node's own ignores. @throws CliError if that is not a URL */
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
