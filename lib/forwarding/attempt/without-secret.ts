import { HIDDEN } from "#lib/contracts/forwarding/masked-url";

/** A shorter part of a URL is a word such as `services`, not what keeps others out. */
const LEAST_PART = 12;
/** A value in a query has a name: a shorter one is a secret, too. */
const LEAST_VALUE = 6;
/** A whole path that is shorter stands in too many texts. */
const LEAST_PATH = 8;

/**
 * Returns what a target said, without the secret that it was asked with. A chat's URL is one: it may come back whole in a
 * redirect, and its path in the text of an error page.
 *
 * @param secret a URL or a key; empty for none
 */
export function withoutSecret(text: string, secret: string): string {
  return partsOf(secret).reduce((rest, part) => rest.replaceAll(part, HIDDEN), text);
}

/** The longest first: a part of a part would leave the rest of it. */
function partsOf(secret: string): string[] {
  if (secret === "") return [];
  const parts = [secret];
  if (URL.canParse(secret)) {
    const { pathname, search, searchParams } = new URL(secret);
    const values = [...searchParams.values()].filter((value) => value.length >= LEAST_VALUE);
    const pieces = [...pathname.split("/").filter((piece) => piece.length >= LEAST_PART), ...values];
    const whole = [pathname + search, pathname].filter((part) => part.length >= LEAST_PATH);
    parts.push(...whole, ...pieces, ...pieces.map(decoded));
  }
  return [...new Set(parts)].filter((part) => part.length > 1).sort((a, b) => b.length - a.length);
}

function decoded(piece: string): string {
  try {
    return decodeURIComponent(piece);
  } catch {
    return piece;
  }
}
