import { SIGNATURE_HEADER, signBody, verifySignature } from "../signature.ts";
import type { Scheme } from "./scheme.ts";

/** The document platform's own signature (docs/platform.md, "Webhook signature"). */
export const platformScheme: Scheme = {
  trust: "signed",
  headers: [SIGNATURE_HEADER],
  needsSecret: true,
  verify: ({ body, headers }, secrets) => verifySignature(body, headers[SIGNATURE_HEADER], secrets),
  sign: ({ body, secret }) => ({ [SIGNATURE_HEADER]: signBody(body, secret) }),
};
