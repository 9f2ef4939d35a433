const HIDDEN = "[hidden]";
/** A shorter part of a URL is a word such as `services`, not what keeps others out. */
const LEAST_PART = 12;

/**
 * What a target said, without the secret that it was asked with. A chat's URL is one: it may come back whole in a
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
    const pieces = [...pathname.split("/"), ...searchParams.values()].filter((piece) => piece.length >= LEAST_PART);
    if (pieces.length > 0) parts.push(pathname + search, pathname, ...pieces, ...pieces.map(decoded));
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
