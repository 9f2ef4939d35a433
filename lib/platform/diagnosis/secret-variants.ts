/** A key that a sender may have used in place of the secret that we hold, and in words how it differs. `ours`: it is our text that is odd. */
export type SecretVariant = { key: string | Buffer; words: string; ours: boolean };

/** What a secret picks up on its way through files, shells and forms. */
const STRAYS: [stray: string, words: string][] = [
  ["\n", "a line break at its end"],
  ["\r\n", "a Windows line break at its end"],
  [" ", "a space at its end"],
  ["\t", "a tab at its end"],
];

const QUOTES: [quote: string, words: string][] = [
  ['"', "quotes around it"],
  ["'", "single quotes around it"],
];

/** The same secret with what it picked up, theirs or ours. */
export function* trimmedSecrets(secret: string): Generator<SecretVariant> {
  const bare = bareOf(secret);
  if (bare !== secret) yield { key: bare, words: `ours has ${oddityOf(secret)}`, ours: true };
  for (const [stray, words] of STRAYS) yield { key: `${bare}${stray}`, words: `the sender's has ${words}`, ours: false };
  yield { key: ` ${bare}`, words: "the sender's has a space before it", ours: false };
  for (const [quote, words] of QUOTES) yield { key: `${quote}${bare}${quote}`, words: `the sender's has ${words}`, ours: false };
}

/** The secret read as the encoding of bytes, as some libraries do. */
export function* decodedSecrets(secret: string): Generator<SecretVariant> {
  const bare = bareOf(secret);
  if (/^([0-9a-f]{2})+$/i.test(bare)) yield { key: Buffer.from(bare, "hex"), words: "read as hexadecimal", ours: false };
  if (/^[A-Za-z0-9+/_-]{8,}={0,2}$/.test(bare)) yield { key: Buffer.from(bare, "base64"), words: "read as base64", ours: false };
  const [, tail] = /^whsec_(.+)$/.exec(bare) ?? [];
  if (!tail) return;
  yield { key: tail, words: "without its beginning whsec_", ours: false };
  yield { key: Buffer.from(tail, "base64"), words: "without its beginning whsec_, read as base64", ours: false };
}

/** Without white space, byte order mark and quotes around it. */
function bareOf(secret: string): string {
  const trimmed = secret.replace(/^\ufeff/, "").trim();
  const [, double, single] = /^(?:"(.+)"|'(.+)')$/.exec(trimmed) ?? [];
  return double ?? single ?? trimmed;
}

function oddityOf(secret: string): string {
  if (/[\r\n]$/.test(secret)) return "a line break at its end";
  if (secret.startsWith("\ufeff")) return "a byte order mark before it";
  return secret.trim() === secret ? "quotes around it" : "white space around it";
}
