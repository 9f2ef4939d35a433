import { hmacSettings } from "#lib/contracts/sources/scheme-settings";
import { hmacScheme } from "../hmac.ts";
import type { Scheme } from "../scheme.ts";

const SIGNATURE = hmacScheme(hmacSettings.parse({ header: "x-twitter-webhooks-signature", prefix: "sha256=", encoding: "base64" }), {
  idIsSigned: true,
});

const BRACE = 0x7b;

/**
 * X has every receiver sign texts for anybody who asks (`crc_token`), with the key that signs its events. So a body is
 * only taken if it can't be asked for: one that begins an object, as all of X's do.
 */
export const xScheme: Scheme = {
  ...SIGNATURE,
  verify: (request, secrets, now) =>
    request.body[0] === BRACE ? SIGNATURE.verify(request, secrets, now) : { outcome: "signature_mismatch" },
};
