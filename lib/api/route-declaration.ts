import type * as z from "zod/mini";
import type { Operation } from "#lib/auth/permissions";
import type { RequestCost } from "./request-turns.ts";

/** Path parameters, query and body of a request that works: shown in the reference, and really sent by a test. */
export type RouteExample = {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
};

/** Body of an answer: JSON of a schema, nothing (204), or another media type. */
export type AnswerBody = z.ZodMiniType | null | { mediaType: string; schema?: z.ZodMiniType };

/** The answers of a route that worked, by status. Problems (RFC 9457) go without saying. */
export type Answers = Partial<Record<200 | 201 | 202 | 204, AnswerBody>>;

/**
 * Declaration of a route. The checks of requests, the permissions, the
 * OpenAPI document, the reference page and the tests that walk every route all
 * read this.
 */
export type RouteDeclaration = {
  /** Operation that the caller must be permitted: a line of the table in lib/auth/permissions.ts. */
  operation: Operation;
  /**
   * A person must have proved who they are within the last 15 minutes: always, or when the body holds one of these fields, which change
   * whom we trust. API keys are not asked: there is nobody at a keyboard.
   */
  confirms?: "always" | readonly string[];
  /** One line for the reference, in the imperative: "List events". */
  summary: string;
  /** More for the reference, where one line is not enough. */
  description?: string;
  /** The path's parameters, for example `idParams`. */
  params?: z.ZodMiniType;
  query?: z.ZodMiniType;
  body?: z.ZodMiniType;
  /** The body carries texts that are kept as bytes only: they may hold U+0000 and unpaired surrogates. */
  anyText?: boolean;
  /** Fields of the body that hold values of payloads: their numbers keep their digits. In others a number is a double. */
  exactFields?: readonly string[];
  /** Cost of a call for the process; light unless given. */
  cost?: RequestCost;
  /** Answers of a successful call: `{ 200: eventPage }`, `{ 204: null }`. */
  answers: Answers;
  /**
   * A call that works. Its ids are those of tests/support/example-world.ts:
   * a test makes that world and calls every example against the handler.
   */
  example: RouteExample;
};

/** True when the answer is JSON that a schema describes. */
export const isSchema = (answer: AnswerBody): answer is z.ZodMiniType => answer !== null && !("mediaType" in answer);
