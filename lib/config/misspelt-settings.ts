import { distanceOf } from "#lib/contracts/unknown-name";
import { envSchema } from "./env-schema.ts";

/** Of a short name, more letters would make it any other. */
const SHORT = 8;

const KNOWN = Object.keys(envSchema.shape);

/**
 * Returns, in words, the variables that have no effect and differ from a setting by a typo. The environment holds many that are
 * no business of ours: only what is one or two letters away is named, never its value.
 *
 * @param source name to value
 */
export function misspeltSettings(source: Record<string, string | undefined> = process.env): string[] {
  return Object.keys(source)
    .filter((name) => /^[A-Z][A-Z0-9_]{5,}$/i.test(name) && !KNOWN.includes(name))
    .flatMap((name) => {
      const meant = KNOWN.find((known) => distanceOf(name.toUpperCase(), known) <= (known.length <= SHORT ? 1 : 2));
      return meant === undefined ? [] : [`The environment sets ${name}, which is not a setting and has no effect. Did you mean ${meant}?`];
    });
}
