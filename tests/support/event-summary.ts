import type { EventSummary } from "#lib/contracts/events/events";

/** An event as lists show it, `evt_1` unless told otherwise. */
export const eventSummary = (own: Partial<EventSummary> = {}): EventSummary => ({
  id: "evt_1",
  type: "document.processed",
  title: "Document processed",
  source: "platform",
  state: "pending",
  reportsFailure: false,
  reportedMessage: null,
  failedBecause: null,
  everFailed: false,
  repaired: false,
  lastFailure: null,
  resources: [],
  created: "2026-11-21T10:00:00.000Z",
  receivedAt: "2026-11-21T10:00:01.000Z",
  bytes: 100,
  repeats: 0,
  conflicts: 0,
  ...own,
});
