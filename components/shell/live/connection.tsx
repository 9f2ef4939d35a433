import { useRouter } from "next/navigation";
import { useCallback, useSyncExternalStore } from "react";
import { connection, REACHED, type Reach } from "#lib/client/connection";

export const useReach = (): Reach => useSyncExternalStore(connection.onChange, connection.state, () => REACHED);

/** Returns the word for the header; null if nothing contradicts "Live". */
export function reachWord(reach: Reach): string | null {
  if (reach.is === "reached") return null;
  if (reach.is === "waiting") return "No answer";
  if (reach.is === "offline") return "Offline";
  if (reach.is === "unreachable") return "No connection";
  return reach.seen?.database.ok ? "Receiver not ready" : "Database not ready";
}

export function reachSentence(reach: Reach): string {
  if (reach.is === "waiting") return `Signalbox has not answered yet. ${UNKNOWN}`;
  if (reach.is === "offline") return `This browser is offline: no connection to Signalbox. ${UNKNOWN}`;
  if (reach.is === "unreachable") return `No connection to Signalbox. ${UNKNOWN}`;
  if (reach.seen === null) return UNKNOWN;
  return `The database ${reach.seen.database.detail}. The receiver ${reach.seen.receiver.detail}.`;
}

const UNKNOWN = "Whether it receives webhooks is unknown.";

/** Returns a function that opens a page of the dashboard, without a connection once it is back. */
export function useOpenPage(): (href: string) => void {
  const { push } = useRouter();
  return useCallback((href) => connection.hold(href) || push(href), [push]);
}
