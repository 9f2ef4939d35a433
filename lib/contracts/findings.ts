import * as z from "zod/mini";
import { pageOf, pageQuery } from "./paging.ts";

/** The rules that notice what never came (lib/findings/rules.ts). */
export const findingRule = z.enum([
  "completed_never_created",
  "processed_never_uploaded",
  "run_without_end",
  "stage_never_entered",
  "disconnected_yet_working",
  "source_silent",
]);
export type FindingRule = z.infer<typeof findingRule>;

export const findingState = z.enum(["open", "dismissed", "closed"]);
export type FindingState = z.infer<typeof findingState>;

/** What a finding is about. A connection and a source are ours, the others the platform's. */
export const findingResource = z.object({ kind: z.enum(["task", "document", "run", "connection", "source"]), id: z.string() });
export type FindingResource = z.infer<typeof findingResource>;

/** Something that should have come and, as far as the log tells, never did. It is a suspicion, and never more. */
export const finding = z.object({
  id: z.string(),
  rule: findingRule,
  suspected: z.literal(true),
  state: findingState,
  resource: findingResource,
  /** What is missing, why that is suspected, and what to do: in words. */
  what: z.string(),
  why: z.string(),
  mend: z.string(),
  /** The events that raise the suspicion. */
  evidence: z.array(z.string()),
  /** When the platform made what raises it. */
  since: z.string(),
  openedAt: z.nullable(z.string()),
  closedAt: z.nullable(z.string()),
  dismissedAt: z.nullable(z.string()),
  dismissedBy: z.nullable(z.string()),
});
export type Finding = z.infer<typeof finding>;

/** `resource` is `kind:id`, as with events. */
export const findingQuery = z.extend(pageQuery, {
  state: z._default(findingState, "open"),
  rule: z.optional(findingRule),
  resource: z.optional(z.string().check(z.maxLength(600))),
});
export type FindingQuery = z.infer<typeof findingQuery>;
export const findingPage = pageOf(finding);
