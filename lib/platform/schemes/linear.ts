import { hmacSettings } from "#lib/contracts/sources/scheme-settings";
import { parseJson } from "../envelope.ts";
import { formAt, hmacScheme } from "./hmac.ts";
import type { Scheme } from "./scheme.ts";

const TOLERANCE_SECONDS = 60;
const SIGNATURE = hmacScheme(hmacSettings.parse({ header: "linear-signature" }), { idIsSigned: false });

/**
 * Linear signs the body, and the body holds the time (`webhookTimestamp`, milliseconds), which its SDK bounds to a
 * minute both ways. The delivery's ID is not signed, so a late request is not taken: it could be a replay.
 */
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
};
