import * as z from "zod/mini";
import { invalidField } from "../api/app-error.ts";
import { text } from "../api/parameters.ts";
import { enterAgainWords, leadsElsewhere } from "./entered-again.ts";

type BoundSecret = {
  before: string;
  after: string;
  entered: boolean;
  field: string;
  label: string;
};

/** Throws `invalid_request`: a person who may change a URL must not learn its secret, or send it to another host. */
export function assertEnteredAgain({ before, after, entered, field, label }: BoundSecret): void {
  if (entered || !leadsElsewhere(before, after)) return;
  throw invalidField(field, enterAgainWords(label));
}

/** Secret of Standard Webhooks that a person enters: 24 to 64 bytes in base64. */
export const ownSigningSecret = text(200).check(
  z.trim(),
  z.regex(/^whsec_(?:[A-Za-z0-9+/]{4}){8,21}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/, "Enter a secret that begins with whsec_"),
);
