import { HIDDEN } from "#lib/contracts/forwarding/masked-url";

/** A shorter part of a URL is a word such as `services`, not a secret. */
const LEAST_PART = 12;
/** A value in a query has a name: a shorter one is secret, too. */
const LEAST_VALUE = 6;
/** A shorter path occurs in too many texts. */
const LEAST_PATH = 8;

/** Hides a secret (a URL or a key) in a target's answer: a chat's URL may come back in a redirect, and its path in an error page. */
export function withoutSecret(text: string, secret: string): string {
  return partsOf(secret).reduce((rest, part) => rest.replaceAll(part, HIDDEN), text);
}

/** Longest first: replacing a part of a part would leave the rest. */
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
