const KIB = 1024;

/** Bytes of a request that is not a webhook, unless its route is listed below. */
export const BODY_BYTES = 64 * KIB;

const LARGER: Readonly<Record<string, number>> = {
  // 1,000 event IDs of up to 400 characters (lib/contracts/redeliveries.ts).
  "/api/v1/redeliveries": 512 * KIB,
  // A body of 64 KiB in base64, or with every character escaped in JSON.
  "/api/v1/signature-checks": 416 * KIB,
  // A simulated event's payload, as large as a webhook may be by default.
  "/sandbox/api/events": 1024 * KIB,
};

/** A body sent to the receiving app is as large as a received one may be by default. */
const RECEIVING_APP = /^\/sandbox\/receiving-app\/[^/]+$/;

/** Returns the bytes that a path's body may have. The web process rejects more; so do the routes' own readers, if they run without it. */
export function bodyLimitOf(pathname: string): number {
  const path = pathname.replace(/\/+$/, "");
  return LARGER[path] ?? (RECEIVING_APP.test(path) ? 1024 * KIB : BODY_BYTES);
}
