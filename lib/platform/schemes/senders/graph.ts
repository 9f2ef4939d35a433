import { timingSafeEqual } from "node:crypto";
import { parseJson } from "../../reading/payload.ts";
import type { Scheme } from "../scheme.ts";

/** Beyond these nobody's notifications are checked. */
const MAX_NOTIFICATIONS = 1000;

/**
 * Microsoft Graph signs nothing: each notification of a request carries the `clientState` that its subscription was made
 * with. Every one of them must be this source's; while a secret is replaced, some subscriptions still have the old one.
 * https://learn.microsoft.com/graph/change-notifications-delivery-webhooks
 */
export const graphScheme: Scheme = {
  trust: "token",
  headers: [],
  provenBy: "a clientState in each notification",
  secretInBody: true,
  costly: true,
  needsSecret: true,
  verify({ body }, secrets) {
    const states = statesIn(body);
    if (states === null) return { outcome: "signature_malformed" };
    if (states.length === 0 || states.includes(undefined)) return { outcome: "signature_missing" };
    const found = states.map((state) => secrets.findIndex(({ value }) => equal(String(state), value)));
    const match = found.includes(-1) ? undefined : secrets[Math.min(...found)];
    return match ? { outcome: "verified", form: "token", secretId: match.id } : { outcome: "signature_mismatch" };
  },
  sign: () => ({}),
};

function equal(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}

/** The `clientState` of each notification; null for a body that is no list of notifications. */
function statesIn(body: Uint8Array): (string | undefined)[] | null {
  const json = parseJson(body);
  const value = json.ok && typeof json.value === "object" && json.value !== null ? Reflect.get(json.value, "value") : undefined;
  if (!Array.isArray(value) || value.length > MAX_NOTIFICATIONS) return null;
  return value.map((each: unknown) => {
    const state = typeof each === "object" && each !== null ? Reflect.get(each, "clientState") : undefined;
    return typeof state === "string" ? state : undefined;
  });
}
