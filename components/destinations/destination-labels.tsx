import { type State, StateBadge } from "#components/ui/primitives/badge";
import { typesWords } from "#lib/contracts/events/event-filters";
import { cappedNumber } from "#lib/contracts/format-count";
import type { AttemptOutcome } from "#lib/contracts/forwarding/deliveries";
import type { Destination, DestinationMode, DestinationState, SuspensionReason } from "#lib/contracts/forwarding/destinations";

const STATES: Record<DestinationState, readonly [State, string]> = {
  active: ["fine", "Active"],
  paused: ["neutral", "Paused"],
  suspended: ["failed", "Suspended"],
};

export function DestinationStateBadge({ state }: { state: DestinationState }) {
  const [look, word] = STATES[state];
  return <StateBadge state={look}>{word}</StateBadge>;
}

export const REASONS: Record<SuspensionReason, { what: string; next: string }> = {
  failing: {
    what: "Too many attempts failed, so Signalbox stopped sending.",
    next: "One delivery is tried every 30 seconds to 5 minutes. When it gets through, the rest follow automatically.",
  },
  gone: {
    what: "The target answered 410 Gone, so Signalbox stopped sending.",
    next: "Make the URL accept events again, or change it. Then resume the destination: it is not tried again automatically.",
  },
  no_success: {
    what: "Nothing could be delivered for 120 hours.",
    next: "One delivery is tried every 30 seconds to 5 minutes. When it gets through, the rest follow automatically.",
  },
};

export const MODES: Record<DestinationMode, { label: string; hint: string }> = {
  signed: { label: "Signed by Signalbox", hint: "Standard Webhooks headers, with the destination's own secret" },
  pass_through: { label: "Pass-through", hint: "the sender's own signature: existing handlers work unchanged" },
  re_sign: { label: "Re-sign", hint: "the sender's scheme, signed for each attempt with the destination's own secret" },
};

/** Says of deliveries that are not sent yet whether they wait for their turn, or for a destination that is paused or suspended. */
export const openWord = (state: DestinationState): "Pending" | "Held" => (state === "active" ? "Pending" : "Held");

/** Counts are capped by the API. */
export const pendingWords = (count: number) => cappedNumber(count, 100_000);
export const exhaustedWords = (count: number) => cappedNumber(count, 10_000);

/** Returns the share of the last day's attempts that succeeded, `99.2%`; null without attempts. */
export function successRate({ lastDay: { delivered, failed } }: Pick<Destination, "lastDay">): string | null {
  const all = delivered + failed;
  if (all === 0) return null;
  const percent = (100 * delivered) / all;
  // 100% means all of them.
  return failed === 0 ? "100%" : `${Math.min(99.9, Math.floor(percent * 10) / 10)}%`;
}

/** Returns the selection in a line: `document.processed, task.created · filtered`. */
export function selectionWords({ types, sources, filter }: Pick<Destination, "types" | "sources" | "filter">): string {
  const parts = [
    typesWords(types),
    ...(sources.length === 0 ? [] : [`from ${sources.join(", ")}`]),
    ...(filter === null ? [] : ["filtered by payload"]),
  ];
  return parts.join(" · ");
}

export const OUTCOME_LABELS: Record<AttemptOutcome, string> = {
  delivered: "Delivered",
  refused: "Not allowed to call",
  unknown_host: "Host name not found",
  connection_refused: "Connection refused",
  connect_timeout: "No connection in time",
  unreachable: "Host unreachable",
  tls_expired: "Certificate expired",
  tls_untrusted: "Certificate not trusted",
  tls_wrong_host: "Certificate of another host",
  tls_failed: "TLS handshake failed",
  timeout: "No answer in time",
  connection_reset: "Connection reset",
  malformed_answer: "Malformed answer",
  redirected: "Redirected",
  gone: "Gone (410)",
  rejected: "Rejected (4xx)",
  rate_limited: "Rate limited (429)",
  server_error: "Server error (5xx)",
  filter_too_costly: "Filter too costly",
  proxy_failed: "Proxy failed",
};
