import { networkOf } from "#lib/http/ip-address";
import { requestIp } from "#lib/http/request-ip";
import { hashToken } from "#lib/vault/opaque-token";
import type { TryScope } from "./failure-store.ts";

/** `own`: of this account and network; `shared`: with others. */
export type TryScopes = { own: TryScope[]; shared: TryScope[] };

/** Wrong passwords before each further try costs a wait. */
const FREE_TRIES = 10;
/** The same for an account from everywhere, and for an address over all accounts. */
const SHARED_FREE_TRIES = 100;

const scope = (freeTries: number, ...parts: string[]): TryScope => ({ scopeHash: hashToken(parts.join("|")), freeTries });

/** Counts factor tries per known browser: only who knows the password gets here, so no stranger can lock the person out. */
export const factorThrottleKeys = (userId: string, knownDevice: string | null): TryScopes => ({
  own: [knownDevice ? scope(FREE_TRIES, "factor and device", userId, knownDevice) : scope(FREE_TRIES, "factor", userId)],
  shared: [],
});

export function passkeyThrottleKeys(): TryScopes {
  const address = requestIp();
  return { own: [], shared: [scope(SHARED_FREE_TRIES, "passkey and network", address === null ? "unknown" : networkOf(address))] };
}

/**
 * Counts password tries. A browser with an earlier sign-in counts alone, so that nobody else's failures lock it. Others count by account
 * and network, and by each alone, against many addresses and accounts. The address is the connection's, never a header's.
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
