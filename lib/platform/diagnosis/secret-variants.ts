/** A key that a sender may have used instead of our secret. `ours`: our text is the odd one. */
export type SecretVariant = { key: string | Buffer; words: string; ours: boolean };

const STRAYS: [stray: string, words: string][] = [
  ["\n", "a trailing line break"],
  ["\r\n", "a trailing Windows line break"],
  [" ", "a trailing space"],
  ["\t", "a trailing tab"],
];

const QUOTES: [quote: string, words: string][] = [
  ['"', "quotes around it"],
  ["'", "single quotes around it"],
];

export function* trimmedSecrets(secret: string): Generator<SecretVariant> {
  const bare = bareOf(secret);
  if (bare !== secret) yield { key: bare, words: `ours has ${oddityOf(secret)}`, ours: true };
  for (const [stray, words] of STRAYS) yield { key: `${bare}${stray}`, words: `the sender's has ${words}`, ours: false };
  yield { key: ` ${bare}`, words: "the sender's has a leading space", ours: false };
  for (const [quote, words] of QUOTES) yield { key: `${quote}${bare}${quote}`, words: `the sender's has ${words}`, ours: false };
}

/** Yields the secret decoded to bytes, as some libraries do. */
export function* decodedSecrets(secret: string): Generator<SecretVariant> {
  const bare = bareOf(secret);
  if (/^([0-9a-f]{2})+$/i.test(bare)) yield { key: Buffer.from(bare, "hex"), words: "decoded as hexadecimal", ours: false };
  if (/^[A-Za-z0-9+/_-]{8,}={0,2}$/.test(bare)) yield { key: Buffer.from(bare, "base64"), words: "decoded as base64", ours: false };
  const [, tail] = /^whsec_(.+)$/.exec(bare) ?? [];
  if (!tail) return;
  yield { key: tail, words: "without its whsec_ prefix", ours: false };
  yield { key: Buffer.from(tail, "base64"), words: "without its whsec_ prefix, decoded as base64", ours: false };
}

function bareOf(secret: string): string {
  const trimmed = secret.replace(/^\ufeff/, "").trim();
  const [, double, single] = /^(?:"(.+)"|'(.+)')$/.exec(trimmed) ?? [];
  return double ?? single ?? trimmed;
}

function oddityOf(secret: string): string {
  if (/[\r\n]$/.test(secret)) return "a trailing line break";
  if (secret.startsWith("\ufeff")) return "a leading byte order mark";
  return secret.trim() === secret ? "quotes around it" : "whitespace around it";
}
