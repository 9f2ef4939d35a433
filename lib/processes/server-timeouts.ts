/**
 * Against senders that trickle: the head within 10 s, the whole request within
 * 30 s (a webhook's body within 10 s, see webhookIntake). Milliseconds.
 */
export const SERVER_TIMEOUTS = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5000,
};
