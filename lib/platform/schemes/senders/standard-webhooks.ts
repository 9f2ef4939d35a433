import { hmacSettings } from "#lib/contracts/sources/scheme-settings";
import type { SigningSecret } from "../../signature.ts";
import { hmacScheme } from "../hmac.ts";
import type { Scheme } from "../scheme.ts";

const TOLERANCE_SECONDS = 300;

/** Returns the settings of Standard Webhooks 1.0, "Signature scheme"; Svix used its own header names before. */
const settingsOf = (prefix: "webhook" | "svix") =>
  hmacSettings.parse({
    header: `${prefix}-signature`,
    format: "list",
    part: "v1",
    encoding: "base64",
    key: "base64",
    content: "{id}.{timestamp}.{body}",
    timestampHeader: `${prefix}-timestamp`,
    idHeader: `${prefix}-id`,
    toleranceSeconds: TOLERANCE_SECONDS,
  });

export const sharedKeyScheme = (prefix: "webhook" | "svix"): Scheme => hmacScheme(settingsOf(prefix), { idIsSigned: true });

const SHARED = sharedKeyScheme("webhook");
const PUBLISHED = hmacScheme({ ...settingsOf("webhook"), part: "v1a", method: "ed25519" }, { idIsSigned: true });

export const PUBLIC_PREFIX = "whpk_";

/** Standard Webhooks with a shared key (`whsec_`, v1) or the sender's public key (`whpk_`, v1a). */
export const standardWebhooksScheme: Scheme = {
  ...SHARED,
  costly: true,
  onlySenderSigns: (secret) => secret.startsWith(PUBLIC_PREFIX),
  verify(request, secrets, now) {
    const [published, shared] = [secrets.filter(isPublic), secrets.filter((secret) => !isPublic(secret))];
    const signed = published.length > 0 ? PUBLISHED.verify(request, published, now) : null;
    return signed === null || (shared.length > 0 && !("secretId" in signed)) ? SHARED.verify(request, shared, now) : signed;
  },
};

const isPublic = ({ value }: SigningSecret) => value.startsWith(PUBLIC_PREFIX);
