import { distanceOf } from "#lib/contracts/unknown-name";
import { envSchema } from "./env-schema.ts";

const SHORT = 8;

const KNOWN = Object.keys(envSchema.shape);

/** Returns a warning for each variable that is one or two letters away from a setting. Values are never named. */
export function misspeltSettings(source: Record<string, string | undefined> = process.env): string[] {
  return Object.keys(source)
    .filter((name) => /^[A-Z][A-Z0-9_]{5,}$/i.test(name) && !KNOWN.includes(name))
    .flatMap((name) => {
      const meant = KNOWN.find((known) => distanceOf(name.toUpperCase(), known) <= (known.length <= SHORT ? 1 : 2));
      return meant === undefined ? [] : [`The environment sets ${name}, which is not a setting and has no effect. Did you mean ${meant}?`];
    });
}
