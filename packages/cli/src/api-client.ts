import { setTimeout as sleep } from "node:timers/promises";
import type { Problem } from "../../../lib/contracts/api/app-error.ts";
import { commandLinePath } from "../../../lib/contracts/command-line-package.ts";
import { parseExact, writeJson } from "../../../lib/contracts/exact-json.ts";
import { environment } from "./environment.ts";
import { CliError, EXIT, usageError } from "./exit.ts";
import { isLoopback, isReadableOnTheWay, ownVersion, type Target } from "./settings.ts";

export type Query = Record<string, string | number | boolean | readonly string[] | undefined>;

/** The API of one installation. Every failure is a CliError with a message for people. */
export type Api = {
  url: string;
  get: <T>(path: string, query?: Query) => Promise<T>;
  /** A response that is a text: code, or JSON to be saved as it was written. */
  getText: (path: string, query?: Query) => Promise<string>;
  post: <T>(path: string, body: unknown) => Promise<T>;
  patch: <T>(path: string, body: unknown) => Promise<T>;
  /** A streamed response; ended by the signal. */
  open: (path: string, query: Query, options: { headers?: Record<string, string>; signal?: AbortSignal }) => Promise<Response>;
  /** Version in the server's last response. */
  serverVersion: () => string | null;
};

/** Timeout of a response that is not a stream. Milliseconds. */
const PATIENCE_MS = 60_000;
/** Retries of a busy server; waits that are longer than MAX_WAIT_S are not made. */
const RETRIES = 3;
/** Most bytes of a response. An event of 64 MB takes up to six bytes a character as JSON. */
const MAX_ANSWER = 512 * 1_048_576;
const MAX_PROBLEM = 1_048_576;
const MAX_WAIT_S = 30;

/** @throws CliError without a key, or if it would be sent unencrypted over a network */
export function openApi(target: Target): Api {
  if (target.key === null) throw noKey(target.url);
  if (!target.allowHttp && isReadableOnTheWay(target.url)) throw notEncrypted(target.url);
  return makeApi(target);
}

export function makeApi(target: Target): Api {
  let version: string | null = null;
  let fetching: Promise<typeof fetch> | null = null;
  const request = async (path: string, query: Query, init: RequestInit & { patience?: number }): Promise<Response> => {
    fetching ??= fetchFor(target.url);
    for (let tries = 0; ; tries++) {
      const response = await reach(await fetching, target, path, query, init);
      version = response.headers.get("signalbox-version") ?? version;
      if (response.ok) return response;
      const wait =
        response.status === 429 || response.status === 503 ? Number(response.headers.get("retry-after") ?? Number.NaN) : Number.NaN;
      if (tries >= RETRIES || !(wait <= MAX_WAIT_S)) throw await failureOf(target, response, path, version);
      await sleep(wait * 1000);
    }
  };
  const write = async <T>(method: "POST" | "PATCH", path: string, body: unknown) => {
    const init = { method, body: writeJson(body), headers: { "content-type": "application/json" }, patience: PATIENCE_MS };
    return readJson<T>(await request(path, {}, init), target, version);
  };
  return {
    url: target.url,
    serverVersion: () => version,
    get: async <T>(path: string, query: Query = {}) => readJson<T>(await request(path, query, { patience: PATIENCE_MS }), target, version),
    getText: async (path, query = {}) => readAnswer(await request(path, query, { patience: PATIENCE_MS }), target, version),
    post: (path, body) => write("POST", path, body),
    patch: (path, body) => write("PATCH", path, body),
    open: (path, query, options) => request(path, query, options),
  };
}

async function reach(
  fetchThrough: typeof fetch,
  target: Target,
  path: string,
  query: Query,
  { patience, ...init }: RequestInit & { patience?: number },
): Promise<Response> {
  const headers: Record<string, string> = { "user-agent": `signalbox-cli/${ownVersion()}`, ...(init.headers as Record<string, string>) };
  if (target.key !== null) headers.authorization = `Bearer ${target.key}`;
  const signal = patience === undefined ? init.signal : AbortSignal.timeout(patience);
  try {
    return await fetchThrough(target.url + path + searchOf(query), { ...init, headers, redirect: "manual", ...(signal && { signal }) });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw explainUnreachable(target.url, error);
  }
}

function searchOf(query: Query): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    for (const one of typeof value === "object" ? value : [value]) params.append(name, String(one));
  }
  return params.size > 0 ? `?${params}` : "";
}

async function readJson<T>(response: Response, { url }: Target, version: string | null): Promise<T> {
  if (response.status === 204) return undefined as T;
  if (!isJson(response)) throw notSignalbox(url, response.status);
  const text = await readAnswer(response, { url }, version);
  try {
    return parseExact(text) as T;
  } catch {
    throw unexpectedAnswer(url, version);
  }
}

async function readAnswer(response: Response, { url }: Pick<Target, "url">, version: string | null): Promise<string> {
  // Pages of proxies and sign-in forms are HTML.
  if (/^text\/html\b/.test(response.headers.get("content-type") ?? "")) throw notSignalbox(url, response.status);
  try {
    return await readText(response, MAX_ANSWER);
  } catch (error) {
    if (error instanceof TooLarge) throw unexpectedAnswer(url, version);
    throw explainUnreachable(url, error);
  }
}

class TooLarge extends Error {}

/** @throws TooLarge above the limit; the rest is not read */
async function readText(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new TooLarge(); // leaving the loop ends the answer
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

async function failureOf(target: Target, response: Response, path: string, version: string | null): Promise<CliError> {
  if (!isJson(response)) {
    await response.body?.cancel();
    return notSignalbox(target.url, response.status);
  }
  const problem = await readText(response, MAX_PROBLEM).then(
    (text) => JSON.parse(text) as Partial<Problem>,
    () => null,
  );
  return explainProblem(target, { status: response.status, ...problem }, path, version);
}

const isJson = (response: Response) => /^application\/(problem\+)?json\b/.test(response.headers.get("content-type") ?? "");

const NAMES = { "http:": ["http_proxy", "HTTP_PROXY"], "https:": ["https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY"] };

/** Returns the variable that sets a proxy for a URL. This machine is connected to directly. */
function proxyVariable(url: string): string | null {
  const { protocol, hostname } = new URL(url);
  if (isLoopback(hostname)) return null;
  return NAMES[protocol as keyof typeof NAMES].find((name) => environment[name]) ?? null;
}

/** Returns a `fetch` that uses the environment's proxy, which Node's own ignores. @throws CliError if that is not a URL */
async function fetchFor(url: string): Promise<typeof fetch> {
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

export class ApiFailure extends CliError {
  readonly status: number;
  readonly code: string;

  constructor(
    message: string,
    hint: string | undefined,
    { status = 0, code = "" }: { status?: number | undefined; code?: string | undefined },
  ) {
    super(message, { hint });
    this.status = status;
    this.code = code;
  }
}

/** The server can't be reached: worth another try. */
class Unreachable extends CliError {}

const CAUSES: Record<string, string> = {
  ECONNREFUSED: "nothing is listening there (connection refused)",
  ENOTFOUND: "the host name can't be found",
  EAI_AGAIN: "the host name can't be looked up right now",
  ECONNRESET: "the connection was closed",
  UND_ERR_SOCKET: "the connection was closed",
  ETIMEDOUT: "no response in time",
  UND_ERR_CONNECT_TIMEOUT: "no response in time",
  EHOSTUNREACH: "the host is unreachable",
  ENETUNREACH: "the network is unreachable",
  CERT_HAS_EXPIRED: "its certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is self-signed (NODE_EXTRA_CA_CERTS adds a CA)",
  SELF_SIGNED_CERT_IN_CHAIN: "its certificate is from an unknown CA (NODE_EXTRA_CA_CERTS adds one)",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its certificate can't be verified (NODE_EXTRA_CA_CERTS adds a CA)",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another name",
};

function explainUnreachable(url: string, error: unknown): CliError {
  const status = proxyStatus(error);
  if (status === "407") return proxyWantsPassword(url);
  const proxy = proxyVariable(url);
  const through =
    proxy && `${proxy} sets a proxy: check that it is running and allows this connection. NO_PROXY lists hosts that need no proxy.`;
  return new Unreachable(`Can't reach ${url}: ${status ? `the proxy answered ${status}` : networkCause(error)}.`, {
    hint: through ?? "Check that Signalbox is running there. To use another URL: --url, SIGNALBOX_URL, or signalbox login URL.",
  });
}

/** Returns the status with which a proxy refused a tunnel, from undici's words. */
function proxyStatus(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  return /^Proxy response \((\d+)\)/.exec(error.message)?.[1] ?? proxyStatus(error.cause);
}

export function networkCause(error: unknown): string {
  const { name, message, cause } = error as Error & { cause?: { code?: string; message?: string; errors?: { code?: string }[] } };
  if (name === "TimeoutError") return "no response in time";
  const code = cause?.code ?? cause?.errors?.[0]?.code ?? (error as NodeJS.ErrnoException).code ?? "";
  return CAUSES[code] ?? (cause?.message || message).replace(/\.$/, "");
}

const proxyWantsPassword = (url: string): CliError =>
  new CliError(`The proxy on the way to ${url} wants a user name and password (407).`, {
    hint: `Write them in ${proxyVariable(url)}: http://user:password@proxy.example:8080. NO_PROXY lists hosts that need no proxy.`,
  });

const noKey = (url: string): CliError =>
  new CliError(`There is no API key for ${url}.`, {
    hint: "Run signalbox login, or set SIGNALBOX_API_KEY. To use another URL: --url or SIGNALBOX_URL.",
  });

const notEncrypted = (url: string): CliError =>
  new CliError(`${url} is not encrypted, so the API key could be intercepted.`, {
    hint: `Use ${url.replace(/^http:/, "https:")}. On a private network: --allow-http, or SIGNALBOX_ALLOW_HTTP=1.`,
    exitCode: EXIT.usage,
  });

const notSignalbox = (url: string, status: number): CliError =>
  new CliError(`${url} answered ${status}, but not with a Signalbox response.`, { hint: "Check the URL and any proxies in between." });

export const unexpectedAnswer = (url: string, version: string | null): CliError =>
  new CliError(`${url} sent a response that this command does not understand.`, { hint: versionHint(url, version) });

/** Explains a problem (RFC 9457) of the API. Its `detail` is written for people. */
function explainProblem({ url, keyFrom }: Target, problem: Partial<Problem>, path: string, version: string | null): ApiFailure {
  const { status, code, title, detail } = problem;
  const say = (message: string, hint?: string) => new ApiFailure(message, hint, { status, code });
  const words = detail ?? title ?? `${url} answered ${status}.`;
  if (status === 401) {
    const expired = detail !== undefined && /expired/.test(detail);
    const hint = `It is from ${keyFrom}. Create another under ${url}/settings/keys, then run: signalbox login ${url}`;
    return say(
      expired ? words : `${url} does not accept the API key: it is mistyped, was revoked, or belongs to another installation.`,
      hint,
    );
  }
  if (status === 403) return say(words, `To see what each role can do: ${url}/settings/roles`);
  if (status === 404 && /^The API has no such URL/.test(detail ?? "")) return say(`${url} has no ${path}.`, versionHint(url, version));
  if (status === 429) return say(words, "Other programs may be using the same key. API_REQUESTS_PER_MINUTE sets the limit.");
  return say(words);
}

function versionHint(url: string, version: string | null): string {
  const own = ownVersion();
  if (version === own) return `Both are version ${own}. Please report this.`;
  if (version === null)
    return `This command is version ${own}; the server is probably older. Update the server, or use its version of the command.`;
  return `The server is version ${version}, this command ${own}. Use the command of the server's version: npx ${url}${commandLinePath(version)}`;
}
