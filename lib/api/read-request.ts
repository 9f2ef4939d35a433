import type * as z from "zod/mini";
import { env } from "#lib/config/env";
import { AppError } from "#lib/contracts/api/app-error";
import { findJsonProblem } from "#lib/contracts/api/bounds";
import { refusalWords } from "#lib/contracts/api/rejected-values";
import { isObject, parseExact } from "#lib/contracts/exact-json";
import { invalidRequest } from "#lib/http/problem";
import { assertKnownFields } from "./unknown-fields.ts";

/** True for methods that change nothing (RFC 9110 section 9.2.1). */
export const isSafe = (method: string): boolean => method === "GET" || method === "HEAD" || method === "OPTIONS";

/** Rejects a cross-site change (CSRF): a browser always sends Origin with one. @throws AppError `origin_mismatch` */
export function assertSameOrigin(request: Request): void {
  const origin = request.headers.get("origin");
  if (origin !== new URL(env().APP_URL).origin) throw new AppError("origin_mismatch", `Open Signalbox at ${env().APP_URL} and try again.`);
}

/** Parses a value by its schema. @throws AppError `invalid_request` with a line for each wrong field */
export function parse<T extends z.ZodMiniType>(schema: T, value: unknown): z.infer<T> {
  const parsed = schema.safeParse(value, { error: refusalWords });
  if (!parsed.success) throw invalidRequest(parsed.error, value);
  return parsed.data;
}

/** Parses a JSON body without undeclared fields. @throws AppError `invalid_request` */
export function parseBody<T extends z.ZodMiniType>(schema: T, json: unknown): z.infer<T> {
  assertReadable(json);
  assertKnownFields(schema, json);
  return parse(schema, json);
}

/** Rejects text that the database can't hold (U+0000, unpaired surrogates) unless `anyText`, and deep nesting. @throws AppError */
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

/** Parses a JSON body; `{}` if it is empty. @throws AppError `unsupported_media_type`, `invalid_request` */
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

/** Returns the body with the numbers in some of its fields as they were written. */
export function withExactFields(json: unknown, text: string, fields: readonly string[] = []): unknown {
  if (!isObject(json) || fields.length === 0) return json;
  const exact = parseExact(text) as Record<string, unknown>;
  return { ...json, ...Object.fromEntries(fields.filter((field) => Object.hasOwn(exact, field)).map((field) => [field, exact[field]])) };
}

/** Parses JSON of any media type; null if it isn't JSON, for a schema to reject. */
export function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
