import { TEMPLATES } from "./templates.ts";

const PLACE = /header:([a-z0-9-]+)/g;

/** Every header by which a known sender signs, or says what its event is; none that holds a secret. */
const PASSED: ReadonlySet<string> = new Set(
  Object.values(TEMPLATES).flatMap(({ scheme, takes, reading }) => {
    const { headers, secretHeader } = takes === undefined ? scheme({}) : { headers: [], secretHeader: undefined };
    const places = [...(reading?.id ?? []), ...(reading?.type ?? []), ...(reading?.created ?? [])];
    const named = places.flatMap((place) => [...place.matchAll(PLACE)].map(([, name = ""]) => name));
    return [...headers, ...named].filter((name) => name !== secretHeader);
  }),
);

/** The headers of a request that its sender's own library needs, so that a handler written with it works on a copy. */
export const passedHeaders = (headers: Record<string, string>): [name: string, value: string][] =>
  Object.entries(headers).filter(([name]) => PASSED.has(name));
