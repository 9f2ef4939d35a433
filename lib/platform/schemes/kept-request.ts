import type { EventReading, SchemeSettings } from "#lib/contracts/sources/scheme-settings";
import type { SourceTemplateName } from "#lib/contracts/sources/templates";
import type { Scheme } from "./scheme.ts";
import { schemeOf, TEMPLATES } from "./templates.ts";

/** The kept request's query, stored with its headers; no header can have this name. */
export const QUERY_HEADER = ":query";

export const keptQuery = (headers: Record<string, string>): string => headers[QUERY_HEADER] ?? "";

/** Replaces a header's value that holds a secret. */
export const MASKED = "[masked]";

/** Returns the URL as the sender signs it. `base`: the receiver's public URL before /webhooks/<source>. */
export const requestUrl = (base: string, source: string, query: string): string => {
  const url = `${base}/webhooks/${encodeURIComponent(source)}`;
  return query === "" ? url : `${url}?${query}`;
};

/** Returns the header of the proof that was masked and is sealed nowhere; null if the proof is complete. */
export const maskedProof = (
  { headers }: { headers: readonly string[] },
  kept: Record<string, string | string[] | undefined>,
): string | null => headers.find((name) => kept[name] === MASKED) ?? null;

export type SourceSender = { template: SourceTemplateName; scheme: SchemeSettings; reading: EventReading | null };

const PLACE = /header:([a-z0-9-]+)/g;
/** Headers of the connection, even if a source names its signature so. */
export const CONNECTION = /^(connection|content-length|expect|host|keep-alive|te|trailer|transfer-encoding|upgrade)$/;

function namesOf(scheme: Scheme, reading: EventReading | null, more: readonly string[] = []): string[] {
  const places = [...(reading?.id ?? []), ...(reading?.type ?? []), ...(reading?.created ?? [])];
  const named = places.flatMap((place) => [...place.matchAll(PLACE)].map(([, name = ""]) => name));
  return [...scheme.headers, ...named, ...more].filter((name) => name !== scheme.secretHeader && !CONNECTION.test(name));
}

/** Headers by which known senders sign or name their events; none that holds a secret. */
const KNOWN: ReadonlySet<string> = new Set(
  Object.values(TEMPLATES).flatMap(({ scheme, takes, reading, alsoSends }) =>
    takes === undefined ? namesOf(scheme({}), reading, alsoSends) : [],
  ),
);

const ownOf = ({ template, scheme, reading }: SourceSender): ReadonlySet<string> =>
  new Set(namesOf(schemeOf(template, scheme), reading ?? TEMPLATES[template].reading, TEMPLATES[template].alsoSends));

type Headers = Record<string, string>;
const pick = (headers: Headers, isPicked: (name: string) => boolean): Headers =>
  Object.fromEntries(Object.entries(headers).filter(([name, value]) => isPicked(name) && value !== MASKED));

/** Returns the headers that the sender's own library needs, so that a handler written with it works on a copy. */
export function passedHeaders(headers: Headers, sender: SourceSender | undefined): Headers {
  const own = sender && ownOf(sender);
  return pick(headers, (name) => KNOWN.has(name) || own?.has(name) === true);
}

/** Returns only the sender's own headers: another sender's signature would be invalid next to a new one. */
export function ownHeaders(headers: Headers, sender: SourceSender): Headers {
  const own = ownOf(sender);
  return pick(headers, (name) => own.has(name));
}
