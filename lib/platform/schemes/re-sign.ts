import { MASKED } from "./kept-request.ts";
import { ownHeaders, type SourceSender } from "./passed-headers.ts";
import type { Renewed, Scheme } from "./scheme.ts";
import { schemeOf, TEMPLATES } from "./templates.ts";

type ToReSign = Renewed & {
  headers: Record<string, string>;
  secrets: readonly string[];
  id: string;
  now: Date;
};

/** `sent`: parts that are the secret itself, never to be shown. */
export type ReSigned = Renewed & { headers: Record<string, string>; sent: string[] };

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
  // Basic authentication needs a user name, which no secret of Signalbox has.
  const [secret = "", ...older] = sender.template === "basic" ? secrets.map((each) => `signalbox:${each}`) : secrets;
  const signature = scheme.sign({ body, secret, older, url, id: given || id, now, received: headers });
  const sent = scheme.secretHeader === undefined ? [] : [signature[scheme.secretHeader] ?? "", secret];
  return { body, url, headers: { ...ownHeaders(headers, sender), ...signature }, sent };
}
