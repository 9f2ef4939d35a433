const KIB = 1024;

/** The largest body of a request that is not a webhook, in bytes, unless its route is listed below. */
export const BODY_BYTES = 64 * KIB;

/** Routes that take larger bodies, by path. Sizes in bytes. */
const LARGER: Readonly<Record<string, number>> = {
  // 1,000 event ids of up to 400 characters (lib/contracts/redeliveries.ts).
  "/api/v1/redeliveries": 512 * KIB,
  // A body of 64 KiB in base64, or with every character escaped in JSON (lib/contracts/auth/signature-checks.ts).
  "/api/v1/signature-checks": 416 * KIB,
  // The payload of a simulated event, as large as a webhook may be by default.
  "/sandbox/api/events": 1024 * KIB,
};

/** A body handed on to the sandbox's receiving app is as large as a received one may be by default. */
const RECEIVING_APP = /^\/sandbox\/receiving-app\/[^/]+$/;

/**
 * The largest body that a path takes, in bytes. The web process rejects more
 * before the request reaches a route, and so do the routes' own readers, where
 * they run without the web process.
 *
 * @param pathname without a query
 */
export function bodyLimitOf(pathname: string): number {
  const path = pathname.replace(/\/+$/, "");
  return LARGER[path] ?? (RECEIVING_APP.test(path) ? 1024 * KIB : BODY_BYTES);
}
