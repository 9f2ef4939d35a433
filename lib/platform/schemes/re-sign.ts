import { MASKED } from "./kept-request.ts";
import { ownHeaders, type SourceSender } from "./passed-headers.ts";
import type { Renewed, Scheme } from "./scheme.ts";
import { schemeOf, TEMPLATES } from "./templates.ts";

/** A request that is signed again as its sender would sign it now, with a secret that is not the sender's. */
type ToReSign = Renewed & {
  /** As they were received. */
  headers: Record<string, string>;
  /** The newest first, one at least. */
  secrets: readonly string[];
  /** For a request that came without one. */
  id: string;
  now: Date;
};

/** A signed request. `sent`: what of it is the secret itself, to be shown nowhere. */
export type ReSigned = Renewed & { headers: Record<string, string>; sent: string[] };

/** Returns why requests of a sender can't be signed again, in words; null where they can. */
export function whyNotReSigned(sender: SourceSender): string | null {
  const reason = reasonOf(schemeOf(sender.template, sender.scheme));
  return reason && `${TEMPLATES[sender.template].title} can't be re-signed: ${reason}`;
}

function reasonOf({ onlySenderSigns, secretInBody, needsSecret }: Scheme): string | null {
  if (onlySenderSigns?.("")) return "only the sender has the key.";
  if (secretInBody) return "its signature is in the body, which is forwarded unchanged.";
  return needsSecret ? null : "its requests have no signature.";
}

/** Signs a request as its sender would now: the same ID, a new time. */
export function reSign(sender: SourceSender, { headers, secrets, id, now, ...request }: ToReSign): ReSigned {
  const scheme = schemeOf(sender.template, sender.scheme);
  const { body, url } = scheme.renew?.({ ...request, contentType: headers["content-type"] ?? "", now }) ?? request;
  const given = scheme.idHeader && headers[scheme.idHeader] !== MASKED && headers[scheme.idHeader];
  // Basic authentication wants a user's name, which no secret of Signalbox has.
  const [secret = "", ...older] = sender.template === "basic" ? secrets.map((each) => `signalbox:${each}`) : secrets;
  const signature = scheme.sign({ body, secret, older, url, id: given || id, now, received: headers });
  const sent = scheme.secretHeader === undefined ? [] : [signature[scheme.secretHeader] ?? "", secret];
  return { body, url, headers: { ...ownHeaders(headers, sender), ...signature }, sent };
}
