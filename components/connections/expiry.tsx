"use client";

import { useNow } from "#components/ui/time/clock";
import { untilWords } from "#components/ui/time/time-format";
import type { Connection } from "#lib/contracts/connections";

type Times = Pick<Connection, "state" | "accessExpiresAt" | "expiryKnown" | "nextRefreshAt" | "hasRefreshToken">;

export function Expiry({ connection }: { connection: Times }) {
  const now = useNow();
  return <span suppressHydrationWarning>{expiryWords(connection, now)}</span>;
}

export function expiryWords(connection: Times, now: number): string {
  const { state, accessExpiresAt, expiryKnown, nextRefreshAt, hasRefreshToken } = connection;
  if (state === "pending" || state === "disconnected") return "–";
  if (state === "needs_reauthorization") return "No longer valid";
  if (accessExpiresAt === null || !expiryKnown)
    return hasRefreshToken ? "Not provided by the platform · renews when needed" : "Not provided by the platform";
  const left = Date.parse(accessExpiresAt) - now;
  if (left <= 0) return "Expired";
  const renewal = nextRefreshAt === null || !hasRefreshToken ? null : Date.parse(nextRefreshAt) - now;
  const renewed = renewal === null ? "" : renewal <= 0 ? " · renewing now" : ` · renews in ${untilWords(renewal)}`;
  return `Expires in ${untilWords(left)}${renewed}`;
}
