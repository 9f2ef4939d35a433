import type { ResourceRef } from "#lib/contracts/events/events";

/** Most specific first: a task before the pipeline that it stands in. */
const RANKS = ["task", "run", "document", "integration", "automation", "pipeline", "record"];

/**
 * Returns what the order of deliveries is kept for: the most specific record that an
 * event names, as `document:doc_1`; the event itself when it names none.
 */
export function subjectOf(eventId: string, refs: readonly ResourceRef[]): string {
  const rank = ({ kind }: ResourceRef) => (RANKS.includes(kind) ? RANKS.indexOf(kind) : RANKS.length);
  const [first] = [...refs].sort((a, b) => rank(a) - rank(b) || (a.id < b.id ? -1 : 1));
  return first ? `${first.kind}:${first.id}` : `event:${eventId}`;
}
