import { timingSafeEqual } from "node:crypto";
import { parseJson } from "../../reading/payload.ts";
import type { Scheme } from "../scheme.ts";

const MAX_NOTIFICATIONS = 1000;

/**
 * Every notification holds its subscription's `clientState`, all of which must be this source's; nothing is signed.
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

function statesIn(body: Uint8Array): (string | undefined)[] | null {
  const json = parseJson(body);
  const value = json.ok && typeof json.value === "object" && json.value !== null ? Reflect.get(json.value, "value") : undefined;
  if (!Array.isArray(value) || value.length > MAX_NOTIFICATIONS) return null;
  return value.map((each: unknown) => {
    const state = typeof each === "object" && each !== null ? Reflect.get(each, "clientState") : undefined;
    return typeof state === "string" ? state : undefined;
  });
}
