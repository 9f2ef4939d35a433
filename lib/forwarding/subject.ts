import type { ResourceRef } from "#lib/contracts/events/events";

/** Most specific first: a task before the pipeline it belongs to. */
const RANKS = ["task", "run", "document", "integration", "automation", "pipeline", "record"];

/** Returns the most specific record that an event names (`document:doc_1`), else the event: deliveries keep the order of each. */
export function subjectOf(eventId: string, refs: readonly ResourceRef[]): string {
  const rank = ({ kind }: ResourceRef) => (RANKS.includes(kind) ? RANKS.indexOf(kind) : RANKS.length);
  const [first] = [...refs].sort((a, b) => rank(a) - rank(b) || (a.id < b.id ? -1 : 1));
  return first ? `${first.kind}:${first.id}` : `event:${eventId}`;
}
