import type { QueryClient } from "@tanstack/react-query";
import { throttle } from "./live-feed.ts";
import { KEYS } from "./queries/keys.ts";

/** Follows a burst of changes in another tab. */
const CHANGES_MS = 500;

/** Reads again what is on screen when another tab has changed something: not the list of events, whose rows must not move. */
export function followChanges(scope: string, queries: QueryClient): () => void {
  const channel = new BroadcastChannel(`signalbox.changes.1.${scope}`);
  const isList = (key: readonly unknown[]) => key[0] === KEYS.eventList[0] || key[0] === KEYS.frozenRedelivery[0];
  const again = throttle(() => void queries.invalidateQueries({ predicate: ({ queryKey }) => !isList(queryKey) }), CHANGES_MS);
  channel.onmessage = again.call;
  const unsubscribe = queries.getMutationCache().subscribe((event) => {
    if (event.type === "updated" && event.action.type === "success") channel.postMessage(null);
  });
  return () => {
    unsubscribe();
    again.cancel();
    channel.close();
  };
}
