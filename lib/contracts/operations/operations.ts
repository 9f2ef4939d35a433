import * as z from "zod/mini";
import { pageOf, pageQuery } from "../api/paging.ts";

export const operationKind = z.enum(["redelivery", "rebuild", "release", "export", "retry"]);
export type OperationKind = z.infer<typeof operationKind>;

/** queued: waits for a process, at first or after the one that ran it has gone. stopped: by a person, or cut off with its reader. */
export const operationState = z.enum(["queued", "running", "stopped", "finished", "failed"]);
export type OperationState = z.infer<typeof operationState>;

/** `GET /api/v1/operations/{id}`: long work of any kind, how far it has come and what came of it. */
export const operation = z.object({
  id: z.string(),
  kind: operationKind,
  state: operationState,
  /** Its present phase, of kinds that have several. */
  phase: z.nullable(z.string()),
  /** Items done, of `total`; null while that is not known. */
  done: z.int(),
  total: z.nullable(z.int()),
  /** Number of items so far by outcome. */
  counts: z.record(z.string(), z.int()),
  requestedBy: z.nullable(z.string()),
  createdAt: z.string(),
  startedAt: z.nullable(z.string()),
  finishedAt: z.nullable(z.string()),
  /** Why it failed, in words. */
  failure: z.nullable(z.string()),
  canStop: z.boolean(),
  canResume: z.boolean(),
});
export type Operation = z.infer<typeof operation>;

/** `GET /api/v1/operations`: those of a kind, newest first. */
export const operationQuery = z.extend(pageQuery, { kind: operationKind });
export type OperationQuery = z.infer<typeof operationQuery>;
export const operationPage = pageOf(operation);
