import * as z from "zod/mini";
import { nameText, text } from "../api/parameters.ts";
import { attemptOutcome, deliveryAttempt } from "./deliveries.ts";
import { eventFilter } from "./event-filter.ts";
import { ownSigningSecret } from "./signing-secret.ts";

/** active: deliveries are sent. paused: a person holds them. suspended: Signalbox holds them and tries again by itself. */
export const destinationState = z.enum(["active", "paused", "suspended"]);
export type DestinationState = z.infer<typeof destinationState>;

/** failing: too many failures. gone: it answered 410. no_success: nothing was delivered for 120 hours. */
export const suspensionReason = z.enum(["failing", "gone", "no_success"]);
export type SuspensionReason = z.infer<typeof suspensionReason>;

/** signed: Standard Webhooks headers. pass_through: the sender's own signature, unchanged. re_sign: the sender's scheme, made anew at each attempt with the destination's own secret. */
export const destinationMode = z.enum(["signed", "pass_through", "re_sign"]);
export type DestinationMode = z.infer<typeof destinationMode>;

const names = (each: number) => z.array(text(each).check(z.minLength(1))).check(z.maxLength(50));

/** Settings of a destination. */
const settings = {
  name: nameText(80, "Enter a name"),
  url: text(2000).check(z.minLength(1, "Enter a URL")),
  /** Names of sources; empty for all. */
  sources: z._default(names(63), []),
  /** Event types; empty for all. */
  types: z._default(names(200), []),
  filter: z._default(z.nullable(eventFilter), null),
  mode: z._default(destinationMode, "signed"),
  /** Deliveries about the same document, task or run are sent one after the other, oldest first. */
  ordered: z._default(z.boolean(), false),
  /** Requests a second at most; null without a limit. */
  rate: z._default(z.nullable(z.int().check(z.minimum(1), z.maximum(10_000))), null),
  /** Requests at once. */
  concurrency: z._default(z.int().check(z.minimum(1), z.maximum(100)), 10),
};

/** `POST /api/v1/destinations` */
export const createDestinationBody = z.object(settings);
export type CreateDestinationBody = z.infer<typeof createDestinationBody>;

/**
 * `PATCH /api/v1/destinations/{id}`: what is left out stays as it is. `secret`: signs from now on, alone; a URL of another
 * host needs it unless the mode is pass-through.
 */
export const changeDestinationBody = z.object({
  name: z.optional(settings.name),
  url: z.optional(settings.url),
  sources: z.optional(names(63)),
  types: z.optional(names(200)),
  filter: z.optional(z.nullable(eventFilter)),
  mode: z.optional(destinationMode),
  ordered: z.optional(z.boolean()),
  rate: z.optional(z.nullable(z.int().check(z.minimum(1), z.maximum(10_000)))),
  concurrency: z.optional(z.int().check(z.minimum(1), z.maximum(100))),
  secret: z.optional(ownSigningSecret),
});
export type ChangeDestinationBody = z.infer<typeof changeDestinationBody>;

/** A destination. Times are ISO 8601 UTC. */
export const destination = z.object({
  id: z.string(),
  name: z.string(),
  url: z.string(),
  sources: z.array(z.string()),
  types: z.array(z.string()),
  filter: z.nullable(eventFilter),
  mode: destinationMode,
  ordered: z.boolean(),
  rate: z.nullable(z.int()),
  concurrency: z.int(),
  state: destinationState,
  /** Why it is suspended; null when it is not. */
  reason: z.nullable(suspensionReason),
  stateAt: z.string(),
  /** Person who paused or resumed it; null when it changed automatically. */
  stateBy: z.nullable(z.string()),
  /** When a suspended destination is tried next; null when it is not tried automatically. */
  nextProbeAt: z.nullable(z.string()),
  /** Deliveries that are not sent yet, at most 100,001 counted, and since when the oldest has been due. */
  pending: z.int(),
  oldestPendingAt: z.nullable(z.string()),
  /** Deliveries whose last attempt failed, at most 10,001 counted. */
  exhausted: z.int(),
  /** Attempts of the last 24 hours. */
  lastDay: z.object({ delivered: z.int(), failed: z.int() }),
  /** Of the newest 1,000 successful attempts, in milliseconds; null before the first. */
  p95Ms: z.nullable(z.int()),
  lastSuccessAt: z.nullable(z.string()),
  lastFailure: z.nullable(z.object({ at: z.string(), outcome: attemptOutcome, detail: z.string(), fix: z.string() })),
  /** The secrets that sign now, newest first; never the secrets themselves. */
  secrets: z.array(z.object({ id: z.string(), createdAt: z.string(), validUntil: z.nullable(z.string()) })),
  createdBy: z.nullable(z.string()),
  createdAt: z.string(),
});
export type Destination = z.infer<typeof destination>;
export const destinationList = z.object({ data: z.array(destination), nextCursor: z.null() });

/** The secret is shown once; null in pass-through mode, which needs none. */
export const createdDestination = z.extend(destination, { secret: z.nullable(z.string()) });
export type CreatedDestination = z.infer<typeof createdDestination>;

/** `POST /api/v1/destinations/{id}/resume`: what is to become of the deliveries that were held. */
export const heldChoice = z.enum(["all", "newest_of_each_subject", "none"]);
export type HeldChoice = z.infer<typeof heldChoice>;
export const resumeDestinationBody = z.object({ held: z._default(heldChoice, "all") });
export const resumedDestination = z.object({ skipped: z.int() });

/** `DELETE /api/v1/destinations/{id}`: how many deliveries were cancelled with it. */
export const deletedDestination = z.object({ cancelled: z.int() });

/** `POST /api/v1/destinations/{id}/rotate` */
export const rotateDestinationBody = z.object({
  overlapHours: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(168)), 24),
});
export const rotatedDestinationSecret = z.object({ id: z.string(), secret: z.string(), previousValidUntil: z.nullable(z.string()) });

/** `POST /api/v1/destinations/{id}/test`: the attempt as it went. It is not kept. */
export const destinationTest = z.omit(deliveryAttempt, { id: true, number: true, probe: true });
export type DestinationTest = z.infer<typeof destinationTest>;

/** `POST /api/v1/destinations/preview`: what these settings would have handed on of the newest 1,000 events. */
export const filterPreviewBody = z.object({
  sources: z._default(names(63), []),
  types: z._default(names(200), []),
  filter: z._default(z.nullable(eventFilter), null),
});
export type FilterPreviewBody = z.infer<typeof filterPreviewBody>;
const previewedEvent = z.object({ id: z.string(), type: z.string(), receivedAt: z.string() });
export const filterPreview = z.object({
  matching: z.int(),
  /** Events for which the filter compares too much: they are not sent, and stand among the exhausted deliveries. */
  tooCostly: z.int(),
  /** Number of events that were checked. */
  of: z.int(),
  /** The filter and the events cost so much that fewer than 1,000 events were looked at. */
  cutShort: z.boolean(),
  /** At most three of each, the newest first. */
  examples: z.object({ matching: z.array(previewedEvent), other: z.array(previewedEvent) }),
});
export type FilterPreview = z.infer<typeof filterPreview>;
