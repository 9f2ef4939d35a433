"use client";

import { createContext, useContext, useEffect } from "react";
import type { EventSummary } from "#lib/contracts/events/events";

export type Listener = (event: EventSummary) => void;
/** Part of the feed that pages use without being rendered again by it. */
export type Hub = { listeners: Set<Listener>; catchUp: () => void };
export const HubContext = createContext<Hub | null>(null);

/** Fetches a page's data again if the feed reported a change after the server read it, at `readAt` (ms): the page wasn't listening yet. */
export function CatchUp({ readAt }: { readAt: number }) {
  const hub = useContext(HubContext);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `readAt` tells one reading from the next.
  useEffect(() => hub?.catchUp(), [hub, readAt]);
  return null;
}
