import { hmacSettings } from "#lib/contracts/sources/scheme-settings";
import { hmacScheme } from "../hmac.ts";
import type { Scheme } from "../scheme.ts";

const SIGNATURE = hmacScheme(hmacSettings.parse({ header: "x-twitter-webhooks-signature", prefix: "sha256=", encoding: "base64" }), {
  idIsSigned: true,
});

const BRACE = 0x7b;

/** X signs texts for anyone who asks (`crc_token`), with the same key: only bodies that can't be asked for, objects, are accepted. */
export const xScheme: Scheme = {
  ...SIGNATURE,
  verify: (request, secrets, now) =>
    request.body[0] === BRACE ? SIGNATURE.verify(request, secrets, now) : { outcome: "signature_mismatch" },
};
