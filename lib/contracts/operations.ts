import * as z from "zod/mini";
import { pageOf, pageQuery } from "./api/parameters.ts";

export const operationKind = z.enum(["redelivery", "rebuild", "release", "export", "retry", "relearn"]);
export type OperationKind = z.infer<typeof operationKind>;

/** queued: waits for a process, at first or after the one that ran it has gone. stopped: by a person, or because its reader left. */
export const operationState = z.enum(["queued", "running", "stopped", "finished", "failed"]);
export type OperationState = z.infer<typeof operationState>;

export const operation = z.object({
  id: z.string(),
  kind: operationKind,
  state: operationState,
  phase: z.nullable(z.string()),
  done: z.int(),
  total: z.nullable(z.int()),
  counts: z.record(z.string(), z.int()),
  requestedBy: z.nullable(z.string()),
  createdAt: z.string(),
  startedAt: z.nullable(z.string()),
  finishedAt: z.nullable(z.string()),
  failure: z.nullable(z.string()),
  canStop: z.boolean(),
  canResume: z.boolean(),
});
export type Operation = z.infer<typeof operation>;

export const operationQuery = z.extend(pageQuery, { kind: operationKind });
export type OperationQuery = z.infer<typeof operationQuery>;
export const operationPage = pageOf(operation);
