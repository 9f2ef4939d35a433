import * as z from "zod/mini";
import { nameText, pageOf, text, typePatterns } from "../api/parameters.ts";
import { attemptOutcome, deliveryAttempt } from "./deliveries.ts";
import { eventFilter } from "./event-filter-schema.ts";
import { givenHeaders, ownHeaders, shownHeaders } from "./own-headers.ts";
import { ownSigningSecret } from "./target-secrets.ts";

/** active: deliveries are sent. paused: a person holds them. suspended: Signalbox holds them and tries again by itself. */
export const destinationState = z.enum(["active", "paused", "suspended"]);
export type DestinationState = z.infer<typeof destinationState>;

/** failing: too many failures. gone: it answered 410. no_success: nothing was delivered for 120 hours. */
export const suspensionReason = z.enum(["failing", "gone", "no_success"]);
export type SuspensionReason = z.infer<typeof suspensionReason>;

/** pass_through: the sender's own signature. re_sign: the sender's scheme with the destination's secret, at each attempt. */
export const destinationMode = z.enum(["signed", "pass_through", "re_sign"]);
export type DestinationMode = z.infer<typeof destinationMode>;

const names = (each: number) => z.array(text(each).check(z.minLength(1))).check(z.maxLength(50));

const settings = {
  name: nameText(80, "Enter a name"),
  url: text(2000).check(z.minLength(1, "Enter a URL")),
  /** Empty for all. */
  sources: z._default(names(63), []),
  types: z._default(typePatterns, []),
  filter: z._default(z.nullable(eventFilter), null),
  mode: z._default(destinationMode, "signed"),
  /** Deliveries about the same document, task or run are sent one after the other, oldest first. */
  ordered: z._default(z.boolean(), false),
  rate: z._default(z.nullable(z.int().check(z.minimum(1), z.maximum(10_000))), null),
  concurrency: z._default(z.int().check(z.minimum(1), z.maximum(100)), 10),
  /** Sent with each request. Values are kept encrypted and never shown again. */
  headers: z._default(ownHeaders, []),
};

export const createDestinationBody = z.object(settings);
export type CreateDestinationBody = z.infer<typeof createDestinationBody>;

/** Fields left out stay. `secret` replaces all others at once; a URL of another host needs it unless the mode is pass-through. `headers`
 * replaces all; one without a value keeps its value, unless the URL has another host. */
export const changeDestinationBody = z.object({
  name: z.optional(settings.name),
  url: z.optional(settings.url),
  sources: z.optional(names(63)),
  types: z.optional(typePatterns),
  filter: z.optional(z.nullable(eventFilter)),
  mode: z.optional(destinationMode),
  ordered: z.optional(z.boolean()),
  rate: z.optional(z.nullable(z.int().check(z.minimum(1), z.maximum(10_000)))),
  concurrency: z.optional(z.int().check(z.minimum(1), z.maximum(100))),
  secret: z.optional(ownSigningSecret),
  headers: z.optional(givenHeaders),
});
export type ChangeDestinationBody = z.infer<typeof changeDestinationBody>;

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
  headers: shownHeaders,
  state: destinationState,
  reason: z.nullable(suspensionReason),
  stateAt: z.string(),
  stateBy: z.nullable(z.string()),
  nextProbeAt: z.nullable(z.string()),
  /** Deliveries not sent yet, counted up to 100,001. */
  pending: z.int(),
  oldestPendingAt: z.nullable(z.string()),
  /** Deliveries whose last attempt failed, counted up to 10,001. */
  exhausted: z.int(),
  lastDay: z.object({ delivered: z.int(), failed: z.int() }),
  /** Of the newest 1,000 successful attempts. */
  p95Ms: z.nullable(z.int()),
  lastSuccessAt: z.nullable(z.string()),
  lastFailure: z.nullable(z.object({ at: z.string(), outcome: attemptOutcome, detail: z.string(), fix: z.string() })),
  /** Secrets that sign now, newest first; never the secrets themselves. */
  secrets: z.array(z.object({ id: z.string(), createdAt: z.string(), validUntil: z.nullable(z.string()) })),
  createdBy: z.nullable(z.string()),
  createdAt: z.string(),
});
export type Destination = z.infer<typeof destination>;
export const destinationList = pageOf(destination);

export const createdDestination = z.extend(destination, { secret: z.nullable(z.string()) });
export type CreatedDestination = z.infer<typeof createdDestination>;

export const heldChoice = z.enum(["all", "newest_of_each_subject", "none"]);
export type HeldChoice = z.infer<typeof heldChoice>;
export const resumeDestinationBody = z.object({ held: z._default(heldChoice, "all") });
export const resumedDestination = z.object({ skipped: z.int() });

export const deletedDestination = z.object({ cancelled: z.int() });

export const rotateDestinationBody = z.object({
  overlapHours: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(168)), 24),
});
export const rotatedDestinationSecret = z.object({ id: z.string(), secret: z.string(), previousValidUntil: z.nullable(z.string()) });

export const destinationTest = z.omit(deliveryAttempt, { id: true, number: true, probe: true });
export type DestinationTest = z.infer<typeof destinationTest>;

/** Matches these settings against the newest 1,000 events. */
export const filterPreviewBody = z.object({
  sources: z._default(names(63), []),
  types: z._default(names(200), []),
  filter: z._default(z.nullable(eventFilter), null),
});
export type FilterPreviewBody = z.infer<typeof filterPreviewBody>;
const previewedEvent = z.object({ id: z.string(), type: z.string(), receivedAt: z.string() });
export const filterPreview = z.object({
  matching: z.int(),
  /** Events for which the filter compares too much: they are not sent, and become exhausted deliveries. */
  tooCostly: z.int(),
  of: z.int(),
  cutShort: z.boolean(),
  examples: z.object({ matching: z.array(previewedEvent), other: z.array(previewedEvent) }),
});
export type FilterPreview = z.infer<typeof filterPreview>;
