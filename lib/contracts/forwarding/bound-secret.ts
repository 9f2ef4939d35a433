import { invalidField } from "../api/app-error.ts";

/** A secret that belongs to a URL: it is sent to that host, or signs what is sent there. */
type BoundSecret = {
  /** The URL that it was entered for, and the one that it would be used for from now on. */
  before: string;
  after: string;
  /** It came with this change. */
  entered: boolean;
  /** The field to enter it in, and what that is called on screen. */
  field: string;
  label: string;
};

/** True when two URLs lead to different hosts. Scheme and port count: each may be another service, and http is read on the way. */
export const leadsElsewhere = (before: string, after: string): boolean => originOf(before) !== originOf(after);

const originOf = (url: string): string => URL.parse(url.trim())?.origin ?? url;

/** Returns what a form says beside the field of a secret that has to be entered again. */
export const enterAgainWords = (label: string): string =>
  `The URL has a different host. Enter the ${label} again: it is only used for the host it was entered for.`;

/**
 * Lets a change pass that keeps a secret at its host, or enters it again. The one rule for everything that
 * holds a secret and a URL: whoever may change a URL may not learn, or use elsewhere, a secret that they don't know.
 *
 * @throws AppError `invalid_request`, which names the field
 */
export function assertEnteredAgain({ before, after, entered, field, label }: BoundSecret): void {
  if (entered || !leadsElsewhere(before, after)) return;
  throw invalidField(field, enterAgainWords(label));
}
