import type { EventReading, SchemeSettings } from "#lib/contracts/sources/scheme-settings";
import type { SourceTemplateName } from "#lib/contracts/sources/templates";
import { MASKED } from "./kept-request.ts";
import type { Scheme } from "./scheme.ts";
import { schemeOf, TEMPLATES } from "./templates.ts";

/** Scheme of a source's sender, and the places of its events' parts. */
export type SourceSender = { template: SourceTemplateName; scheme: SchemeSettings; reading: EventReading | null };

const PLACE = /header:([a-z0-9-]+)/g;
/** They are the connection's, whatever a source calls its signature. */
export const CONNECTION = /^(connection|content-length|expect|host|keep-alive|te|trailer|transfer-encoding|upgrade)$/;

function namesOf(scheme: Scheme, reading: EventReading | null, more: readonly string[] = []): string[] {
  const places = [...(reading?.id ?? []), ...(reading?.type ?? []), ...(reading?.created ?? [])];
  const named = places.flatMap((place) => [...place.matchAll(PLACE)].map(([, name = ""]) => name));
  return [...scheme.headers, ...named, ...more].filter((name) => name !== scheme.secretHeader && !CONNECTION.test(name));
}

/** Every header by which a known sender signs, or says what its event is; none that holds a secret. */
const KNOWN: ReadonlySet<string> = new Set(
  Object.values(TEMPLATES).flatMap(({ scheme, takes, reading, alsoSends }) =>
    takes === undefined ? namesOf(scheme({}), reading, alsoSends) : [],
  ),
);

/** Headers by which this sender signs, or says what its event is. */
const ownOf = ({ template, scheme, reading }: SourceSender): ReadonlySet<string> =>
  new Set(namesOf(schemeOf(template, scheme), reading ?? TEMPLATES[template].reading, TEMPLATES[template].alsoSends));

type Headers = Record<string, string>;
const pick = (headers: Headers, isPicked: (name: string) => boolean): Headers =>
  Object.fromEntries(Object.entries(headers).filter(([name, value]) => isPicked(name) && value !== MASKED));

/** The headers of a request that its sender's own library needs, so that a handler written with it works on a copy. */
export function passedHeaders(headers: Headers, sender: SourceSender | undefined): Headers {
  const own = sender && ownOf(sender);
  return pick(headers, (name) => KNOWN.has(name) || own?.has(name) === true);
}

/** Returns the headers of its own sender alone: another sender's signature would not be valid beside a new one. */
export function ownHeaders(headers: Headers, sender: SourceSender): Headers {
  const own = ownOf(sender);
  return pick(headers, (name) => own.has(name));
}
