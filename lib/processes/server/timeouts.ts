/** A proxy keeps connections for about a minute; one that we close first costs it the request that it just sent. */
const BEHIND_PROXIES_MS = 65_000;
const DIRECT_MS = 5000;

/** Bounds a request's head and whole, and idle connections: longer behind proxies (docs/decisions/0035). Milliseconds. */
export const serverTimeouts = (trustedProxies: number) => ({
  headersTimeout: 5000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 1000,
  keepAliveTimeout: trustedProxies > 0 ? BEHIND_PROXIES_MS : DIRECT_MS,
});
