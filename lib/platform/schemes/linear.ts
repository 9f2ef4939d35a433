import { hmacSettings } from "#lib/contracts/sources/scheme-settings";
import { parseJson } from "../reading/payload.ts";
import { formAt, hmacScheme } from "./hmac.ts";
import type { Scheme } from "./scheme.ts";

const TOLERANCE_SECONDS = 60;
const SIGNATURE = hmacScheme(hmacSettings.parse({ header: "linear-signature" }), { idIsSigned: false });

/** The signed body holds the time (`webhookTimestamp`, ms), a minute both ways. The ID is not signed: a late request could be a replay. */
export const linearScheme: Scheme = {
  ...SIGNATURE,
  verify(request, secrets, now) {
    const signed = SIGNATURE.verify(request, secrets, now);
    if (signed.outcome !== "verified") return signed;
    const json = parseJson(request.body);
    const at = json.ok && typeof json.value === "object" && json.value !== null ? Reflect.get(json.value, "webhookTimestamp") : undefined;
    if (typeof at !== "number") return signed;
    const form = formAt((now - at) / 1000, TOLERANCE_SECONDS, { idIsSigned: false });
    return form ? { ...signed, form } : { outcome: "signature_expired", secretId: signed.secretId };
  },
  renew: ({ body, url, now }) => ({ body: withTime(body, now.getTime()), url }),
};

const TIME_IN_TEXT = /"webhookTimestamp"\s*:\s*(\d+)/g;
/** People's text may contain the same key: more than this many are not Linear's. */
const MAX_TRIED = 8;

/** Returns the body with another `webhookTimestamp`, otherwise byte for byte as it was: Linear's SDK reads no other time. */
function withTime(body: Uint8Array, at: number): Uint8Array {
  const text = Buffer.from(body).toString();
  for (const { index, 0: found, 1: digits = "" } of [...text.matchAll(TIME_IN_TEXT)].slice(0, MAX_TRIED)) {
    const end = index + found.length;
    const changed = Buffer.from(`${text.slice(0, end - digits.length)}${at}${text.slice(end)}`);
    const json = parseJson(changed);
    if (json.ok && typeof json.value === "object" && json.value !== null && Reflect.get(json.value, "webhookTimestamp") === at)
      return changed;
  }
  return body;
}
