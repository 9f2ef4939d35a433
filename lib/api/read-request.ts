import type * as z from "zod/mini";
import { env } from "#lib/config/env";
import { AppError } from "#lib/contracts/api/app-error";
import { findJsonProblem } from "#lib/contracts/api/json-problem";
import { isObject, parseExact } from "#lib/contracts/json/exact-json";
import { invalidRequest } from "#lib/http/problem";
import { assertKnownFields } from "./known-names.ts";

/** True for methods that change nothing (RFC 9110 section 9.2.1). */
export const isSafe = (method: string): boolean => method === "GET" || method === "HEAD" || method === "OPTIONS";

/**
 * Rejects a cross-site change (CSRF): a browser always sends Origin with one.
 *
 * @throws AppError `origin_mismatch`
 */
export function assertSameOrigin(request: Request): void {
  const origin = request.headers.get("origin");
  if (origin !== new URL(env().APP_URL).origin) throw new AppError("origin_mismatch", `Open Signalbox at ${env().APP_URL} and try again.`);
}

/**
 * Returns what the schema makes of the value.
 *
 * @throws AppError `invalid_request` with a line for each field that is wrong
 */
export function parse<T extends z.ZodMiniType>(schema: T, value: unknown): z.infer<T> {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw invalidRequest(parsed.error);
  return parsed.data;
}

/**
 * The same for a JSON body, which holds no field that the schema does not declare.
 *
 * @throws AppError `invalid_request`
 */
export function parseBody<T extends z.ZodMiniType>(schema: T, json: unknown): z.infer<T> {
  assertReadable(json);
  assertKnownFields(schema, json);
  return parse(schema, json);
}

/**
 * Rejects parameters and bodies that nothing can be done with: texts and names
 * with U+0000 or an unpaired surrogate, which the database can't hold, and
 * nesting without a bound.
 *
 * @param anyText the body carries what Signalbox keeps as bytes only
 * @throws AppError `invalid_request`
 */
export function assertReadable(values: unknown, anyText = false): void {
  const problem = findJsonProblem(values, { anyText });
  if (problem) throw new AppError("invalid_request", `${problem.path || "(body)"}: ${problem.message}.`);
}

/** `?a=1&b=2&b=3` as `{ a: "1", b: ["2", "3"] }`. */
export function queryOf(request: Request): Record<string, string | string[]> {
  const { searchParams } = new URL(request.url);
  return Object.fromEntries(
    [...new Set(searchParams.keys())].map((name) => {
      const values = searchParams.getAll(name);
      return [name, values.length > 1 ? values : (values[0] ?? "")];
    }),
  );
}

/**
 * The value of a JSON body; `{}` for an empty one.
 *
 * @throws AppError `unsupported_media_type`, `invalid_request`
 */
export function jsonOf(request: Request, text: string): unknown {
  if (text === "") return {};
  if (!/^application\/json\s*(;|$)/i.test(request.headers.get("content-type") ?? ""))
    throw new AppError("unsupported_media_type", "The body must be JSON.");
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError("invalid_request", "The body is not valid JSON.", { cause });
  }
}

/** The value of a JSON body, its numbers as they were written in some of its fields. */
export function withExactFields(json: unknown, text: string, fields: readonly string[] = []): unknown {
  if (!isObject(json) || fields.length === 0) return json;
  const exact = parseExact(text) as Record<string, unknown>;
  return { ...json, ...Object.fromEntries(fields.filter((field) => Object.hasOwn(exact, field)).map((field) => [field, exact[field]])) };
}

/** The value of a JSON text of whatever media type; null when it is not JSON, for a schema to reject. */
export function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
