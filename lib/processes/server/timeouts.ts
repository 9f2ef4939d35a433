/** A proxy keeps its connections to us for a minute or so; one that we close first costs it the request it just sent. */
const BEHIND_PROXIES_MS = 65_000;
const DIRECT_MS = 5000;

/**
 * Time limits of the web process's server, in milliseconds: the head of a
 * request within 5 s, counted from the connection's beginning for the first
 * one; the whole request within 30 s (a body within 10 s, see BoundedBodyReader).
 * A connection without a request is closed after 5 s, and behind our own
 * proxies after 65 s (docs/decisions/0036).
 *
 * @param trustedProxies TRUSTED_PROXIES
 */
export const serverTimeouts = (trustedProxies: number) => ({
  headersTimeout: 5000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 1000,
  keepAliveTimeout: trustedProxies > 0 ? BEHIND_PROXIES_MS : DIRECT_MS,
});
