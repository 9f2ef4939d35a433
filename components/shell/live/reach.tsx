"use client";

import { useSyncExternalStore } from "react";
import { connection, REACHED, type Reach } from "#lib/client/connection";

/** Returns the state of Signalbox as far as it is known: one for header, bar and error pages. */
export const useReach = (): Reach => useSyncExternalStore(connection.onChange, connection.state, () => REACHED);

/** The state in the header; null while nothing speaks against "Live". */
export function reachWord(reach: Reach): string | null {
  if (reach.is === "reached") return null;
  if (reach.is === "waiting") return "No answer";
  if (reach.is === "offline") return "Offline";
  if (reach.is === "unreachable") return "No connection";
  return reach.seen?.database.ok ? "Receiver not ready" : "Database not ready";
}

/** The same in sentences: what was seen of the database and the receiver, and nothing else. */
export function reachSentence(reach: Reach): string {
  if (reach.is === "waiting") return `Signalbox has not answered yet. ${UNKNOWN}`;
  if (reach.is === "offline") return `This browser is offline: no connection to Signalbox. ${UNKNOWN}`;
  if (reach.is === "unreachable") return `No connection to Signalbox. ${UNKNOWN}`;
  if (reach.seen === null) return UNKNOWN;
  return `The database ${reach.seen.database.detail}. The receiver ${reach.seen.receiver.detail}.`;
}

const UNKNOWN = "Whether it receives webhooks is unknown.";
