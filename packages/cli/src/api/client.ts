import { setTimeout as sleep } from "node:timers/promises";
import type { Problem } from "../../../../lib/contracts/api/problem.ts";
import { parseExact, writeJson } from "../../../../lib/contracts/json/exact-json.ts";
import type { CliError } from "../output/exit.ts";
import { isReadableOnTheWay, type Target } from "../settings.ts";
import { ownVersion } from "../version.ts";
import { explainProblem, explainUnreachable, noKey, notEncrypted, notSignalbox, unexpectedAnswer } from "./explain.ts";
import { fetchFor } from "./through-proxy.ts";

export type Query = Record<string, string | number | readonly string[] | undefined>;

/** The API of one installation. Every failure is a CliError with a message for people. */
export type Api = {
  url: string;
  get: <T>(path: string, query?: Query) => Promise<T>;
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

export function searchOf(query: Query): string {
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
  try {
    return parseExact(await readText(response, MAX_ANSWER)) as T;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TooLarge) throw unexpectedAnswer(url, version);
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
