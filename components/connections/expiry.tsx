"use client";

import { useNow } from "#components/ui/clock";
import { durationWords } from "#components/ui/time-words";
import type { Connection } from "#lib/contracts/connections";

type Times = Pick<Connection, "state" | "accessExpiresAt" | "expiryKnown" | "nextRefreshAt" | "hasRefreshToken">;

/** When the access runs out or is renewed, counting down. Nothing for a connection without access. */
export function Expiry({ connection }: { connection: Times }) {
  const now = useNow();
  return <span suppressHydrationWarning>{expiryWords(connection, now)}</span>;
}

/** The expiry in words, or a dash: "Runs out in 12 min, renewed in 9 min". */
export function expiryWords(connection: Times, now: number): string {
  const { state, accessExpiresAt, expiryKnown, nextRefreshAt, hasRefreshToken } = connection;
  if (state === "pending" || state === "disconnected") return "–";
  if (state === "needs_reauthorization") return "Ended";
  if (accessExpiresAt === null || !expiryKnown)
    return hasRefreshToken ? "The platform does not say; renewed when needed" : "The platform does not say";
  const left = Date.parse(accessExpiresAt) - now;
  if (left <= 0) return "Ran out";
  const renewal = nextRefreshAt === null || !hasRefreshToken ? null : Date.parse(nextRefreshAt) - now;
  const renewed = renewal === null ? "" : renewal <= 0 ? ", being renewed" : `, renewed in ${durationWords(renewal)}`;
  return `Runs out in ${durationWords(left)}${renewed}`;
}
