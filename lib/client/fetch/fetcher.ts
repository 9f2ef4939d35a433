import type * as z from "zod/mini";
import { type Problem, problemSchema } from "#lib/contracts/api/problem";
import { ApiProblem } from "./api-problem.ts";

/**
 * Calls the API and validates the response; `null` as schema for a response without a body.
 *
 * @throws ApiProblem when it is not 2xx, can't be reached (`unreachable`) or doesn't match the contract (`answer_malformed`)
 */
export async function apiFetch<T extends z.ZodMiniType>(schema: T, path: string, init?: RequestInit): Promise<z.infer<T>>;
export async function apiFetch(schema: null, path: string, init?: RequestInit): Promise<null>;
export async function apiFetch(schema: z.ZodMiniType | null, path: string, init: RequestInit = {}): Promise<unknown> {
  const response = await reach(path, init);
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok) throw new ApiProblem(problemOf(response, body));
  if (schema === null) return null;
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new ApiProblem(
    ownProblem(response.status, "answer_malformed", "Unexpected response. Reload the page: it may be older than the server."),
  );
}

/** Sends JSON. The response is handled as in `apiFetch`. */
export function apiSend<T extends z.ZodMiniType>(
  schema: T,
  method: "POST" | "PUT" | "PATCH" | "DELETE",
  path: string,
  body?: unknown,
): Promise<z.infer<T>>;
export function apiSend(schema: null, method: "POST" | "PUT" | "PATCH" | "DELETE", path: string, body?: unknown): Promise<null>;
export function apiSend(schema: z.ZodMiniType | null, method: string, path: string, body?: unknown): Promise<unknown> {
  const init: RequestInit = { method, headers: { "content-type": "application/json" }, body: JSON.stringify(body ?? {}) };
  return schema === null ? apiFetch(null, path, init) : apiFetch(schema, path, init);
}

async function reach(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, { ...init, headers: { accept: "application/json", ...init.headers } });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new ApiProblem(
      ownProblem(0, "unreachable", "Signalbox isn't responding. Check that it is running and that you are online, then try again."),
    );
  }
}

function problemOf(response: Response, body: unknown): Problem {
  const parsed = problemSchema.safeParse(body);
  return parsed.success
    ? parsed.data
    : ownProblem(response.status, "unexpected", `The server returned ${response.status} without a reason.`);
}

const ownProblem = (status: number, code: string, detail: string): Problem => ({
  type: "about:blank",
  title: "Request failed",
  status,
  code,
  detail,
});
