import type * as z from "zod/mini";
import type { Operation } from "#lib/auth/permissions";
import type { ErrorCode } from "#lib/contracts/api/app-error";
import type { RequestCost } from "./request-limits.ts";

/** A request that works: shown in the reference, and sent by a test. */
export type RouteExample = {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
};

/** Body of an answer: JSON of a schema, nothing (204), or another media type. */
export type AnswerBody = z.ZodMiniType | null | { mediaType: string; schema?: z.ZodMiniType };

/** Answers of successful requests, by status. Problems (RFC 9457) are implied. */
export type Answers = Partial<Record<200 | 201 | 202 | 204, AnswerBody>>;

/** Read by the checks of requests, the permissions, the OpenAPI document, the reference page and the tests of every route. */
export type RouteDeclaration = {
  /** Permission that the caller needs (lib/auth/permissions.ts). */
  operation: Operation;
  /** Needs a proof of identity from the last 15 minutes: always, or if the body has one of these fields. API keys have nobody to ask. */
  confirms?: "always" | readonly string[];
  /** One line for the reference, in the imperative: "List events". */
  summary: string;
  description?: string;
  params?: z.ZodMiniType;
  query?: z.ZodMiniType;
  body?: z.ZodMiniType;
  /** The body has text that is kept only as bytes: it may contain U+0000 and unpaired surrogates. */
  anyText?: boolean;
  /** Tries or looks only, by a method that may change something: the audit log has nothing of it. */
  changes?: "nothing";
  /** Fields of the body with payload values, whose numbers keep their digits. In others a number is a double. */
  exactFields?: readonly string[];
  /** Light by default. */
  cost?: RequestCost;
  /** `{ 200: eventPage }`, `{ 204: null }`. */
  answers: Answers;
  /** Problems it may answer besides those that each route with its method may (problemsOf in openapi.ts). */
  problems?: readonly ErrorCode[];
  /** Its IDs are those of tests/support/example-world.ts: a test calls every example against the handler. */
  example: RouteExample;
};

export const isSchema = (answer: AnswerBody): answer is z.ZodMiniType => answer !== null && !("mediaType" in answer);
