import * as z from "zod/mini";
import { invalidField } from "../api/app-error.ts";
import { text } from "../api/parameters.ts";

type BoundSecret = {
  before: string;
  after: string;
  entered: boolean;
  field: string;
  label: string;
};

/** True if two URLs lead to different hosts. Scheme and port count: each may be another service, and http can be read on the way. */
export const leadsElsewhere = (before: string, after: string): boolean => originOf(before) !== originOf(after);

const originOf = (url: string): string => URL.parse(url.trim())?.origin ?? url;

export const enterAgainWords = (label: string): string =>
  `The URL has a different host. Enter the ${label} again: it is only used for the host it was entered for.`;

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
