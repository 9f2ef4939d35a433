import { networkOf } from "#lib/http/ip-address";
import { requestIp } from "#lib/http/request-ip";
import { hashToken } from "#lib/vault/opaque-token";
import type { TryScope } from "./failure-store.ts";

/** Scopes that a try counts against: those of this account and network alone, and those shared with others. */
export type TryScopes = { own: TryScope[]; shared: TryScope[] };

/** As many wrong passwords are free; then each further try costs a wait. */
const FREE_TRIES = 10;
/** The same for an account from everywhere together, and for an address over all accounts. */
const SHARED_FREE_TRIES = 100;

const scope = (freeTries: number, ...parts: string[]): TryScope => ({ scopeHash: hashToken(parts.join("|")), freeTries });

/**
 * Returns against what a try at an account's second factor is counted: a browser in which this person completed a sign-in
 * counts on its own, all others together. Only who knows the password gets so far, so that nobody else can hold the person up.
 */
export const factorThrottleKeys = (userId: string, knownDevice: string | null): TryScopes => ({
  own: [knownDevice ? scope(FREE_TRIES, "factor and device", userId, knownDevice) : scope(FREE_TRIES, "factor", userId)],
  shared: [],
});

/** Returns against what a challenge for a sign-in by passkey alone is counted: the network that asks. */
export function passkeyThrottleKeys(): TryScopes {
  const address = requestIp();
  return { own: [], shared: [scope(SHARED_FREE_TRIES, "passkey and network", address === null ? "unknown" : networkOf(address))] };
}

/**
 * Against what a try at an account's password is counted
 * (docs/decisions tells why: who is held up at sign-in).
 *
 * A browser in which this person signed in before counts on its own: no
 * other client's failures lock it, and its own hold up nobody else. Any other
 * counts by account and network, where ten are free; and by account alone and
 * by network alone, where a hundred are, against many addresses and many
 * accounts. The address is the connection's, never a header's.
 *
 * @param knownDevice the hash of the browser's id, when this person signed in there before
 */
export function loginThrottleKeys(email: string, knownDevice: string | null): TryScopes {
  if (knownDevice) return { own: [scope(FREE_TRIES, "device", knownDevice, email)], shared: [] };
  const address = requestIp();
  const network = address === null ? null : networkOf(address);
  return {
    own: [scope(FREE_TRIES, "account and network", email, network ?? "unknown")],
    shared: [scope(SHARED_FREE_TRIES, "account", email), ...(network === null ? [] : [scope(SHARED_FREE_TRIES, "network", network)])],
  };
}
