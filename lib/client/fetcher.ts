import type * as z from "zod/mini";
import type { Problem } from "#lib/contracts/api/app-error";
import { parseExact, writeJson } from "#lib/contracts/exact-json";
import { connection } from "./connection.ts";
import { hasOwnBuild, isOwnBuild } from "./own-build.ts";

/** Loads a response's schema when one has to be checked, so that no page waits for it to render. */
type SchemaLoader<T> = () => Promise<T>;

type Call = RequestInit & { /** A POST that changes nothing. */ asks?: boolean };

/**
 * Calls the API and validates the response, unless code of the page's own build made it (docs/decisions/0019). If the server requires proof of identity, asks for it and sends the request again.
 * @throws ApiProblem if it is not 2xx, can't be reached (`unreachable`) or doesn't match the contract (`answer_malformed`)
 */
export async function apiFetch<T extends z.ZodMiniType>(schema: SchemaLoader<T>, path: string, init?: Call): Promise<z.infer<T>>;
export async function apiFetch(schema: null, path: string, init?: Call): Promise<null>;
export async function apiFetch(schema: SchemaLoader<z.ZodMiniType | null> | null, path: string, init?: Call): Promise<unknown>;
export async function apiFetch(schema: SchemaLoader<z.ZodMiniType | null> | null, path: string, call: Call = {}): Promise<unknown> {
  const { asks = false, ...init } = call;
  const reading = (init.method ?? "GET") === "GET";
  const changes = !reading && !asks;
  const ahead = schema === null || (!changes && hasOwnBuild()) ? null : loadSchema(schema);
  // A request that changes something is sent only once its response can be read.
  if (changes) await ahead;
  const [response, loaded] = await Promise.all([reach(path, init, reading), ahead]);
  const body = await response
    .text()
    .then(parseExact)
    .catch(() => null);
  if (!response.ok) {
    const problem = await problemOf(response, body);
    if (await isConfirmed(problem.code)) return apiFetch(schema, path, call);
    throw new ApiProblem(problem, Number(response.headers.get("retry-after")) || null);
  }
  if (schema === null || response.status === 204) return null;
  if (body !== null && isOwnBuild(response.headers.get("signalbox-build"))) return body;
  const parsed = (loaded ?? (await loadSchema(schema)))?.safeParse(body);
  if (parsed?.success) return parsed.data;
  throw new ApiProblem(
    ownProblem(
      response.status,
      "answer_malformed",
      "The server sent an unexpected response. Reload the page: it may be from an older version.",
    ),
  );
}

export function apiSend<T extends z.ZodMiniType>(
  schema: SchemaLoader<T>,
  method: "POST" | "PUT" | "PATCH" | "DELETE",
  path: string,
  body?: unknown,
): Promise<z.infer<T>>;
export function apiSend(schema: null, method: "POST" | "PUT" | "PATCH" | "DELETE", path: string, body?: unknown): Promise<null>;
export function apiSend(schema: SchemaLoader<z.ZodMiniType> | null, method: string, path: string, body?: unknown): Promise<unknown> {
  const init: RequestInit = { method, headers: { "content-type": "application/json" }, body: writeJson(body ?? {}) };
  return apiFetch(schema, path, init);
}

/** Code that doesn't load means that the server is down or was updated. */
const loadSchema = <T>(load: SchemaLoader<T>): Promise<T> =>
  load().catch(() => {
    throw new ApiProblem(
      ownProblem(0, "unreachable", "A part of this page could not be loaded. Check that Signalbox is running, then reload."),
    );
  });

/** Time limit for reads: a connection that fails silently would hold up everything that waits for it. Milliseconds. */
const READ_MS = 30_000;

async function reach(path: string, { signal, ...init }: RequestInit, reading: boolean): Promise<Response> {
  const limits = [signal ?? [], reading ? AbortSignal.timeout(READ_MS) : []].flat();
  try {
    const asked = fetch(path, { ...init, signal: AbortSignal.any(limits), headers: { accept: "application/json", ...init.headers } });
    return await connection.watched(asked, ({ status }) => status >= 500);
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new ApiProblem(
      ownProblem(0, "unreachable", "Signalbox isn't responding. Check that it is running and that you are online, then try again."),
    );
  }
}

async function problemOf(response: Response, body: unknown): Promise<Problem> {
  const schemas = await import("#lib/contracts/api/app-error").catch(() => null);
  const parsed = schemas?.problemSchema.safeParse(body);
  return parsed?.success
    ? parsed.data
    : ownProblem(
        response.status,
        "unexpected",
        `The server returned ${response.status} without a reason. Try again; if it happens again, check the log of the web process.`,
      );
}

const ownProblem = (status: number, code: string, detail: string): Problem => ({
  type: "about:blank",
  title: "Request failed",
  status,
  code,
  detail,
});

/** A response other than 2xx (RFC 9457). Its message is the `detail`, for people; `code` is stable: branch on it. */
export class ApiProblem extends Error {
  override name = "ApiProblem";
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly detail: string;
  readonly errors: { path: string; message: string }[];

  readonly retryAfterSeconds: number | null;

  constructor(problem: Problem, retryAfterSeconds: number | null = null) {
    super(problem.detail ?? problem.title);
    this.status = problem.status;
    this.code = problem.code;
    this.title = problem.title;
    this.detail = problem.detail ?? problem.title;
    this.retryAfterSeconds = retryAfterSeconds;
    this.errors = problem.errors ?? [];
  }
}

/** Proof that the server requires before it gives access: the password, or another single sign-on. */
export type ProofKind = "password" | "sso";

type Ask = (kind: ProofKind) => Promise<boolean>;

const KINDS = new Map<string, ProofKind>([
  ["confirmation_required", "password"],
  ["sso_confirmation_required", "sso"],
]);

let ask: Ask | null = null;

export function askBy(asking: Ask | null): void {
  ask = asking;
}

/** True if the user has just proved their identity, so that a request rejected with this code can be sent again. */
async function isConfirmed(code: string): Promise<boolean> {
  const kind = KINDS.get(code);
  return kind !== undefined && ((await ask?.(kind)) ?? false);
}
