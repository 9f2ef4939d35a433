import type { SourceTrust } from "#lib/contracts/sources/templates";
import type { SigningSecret, Verification } from "../signature.ts";
import type { KeyKind } from "./public-key.ts";

/** Header names are lowercase. */
export type SchemeRequest = {
  body: Uint8Array;
  headers: Record<string, string | string[] | undefined>;
  /** URL that the sender posted to, with its query: some senders sign it. */
  url: string;
  remoteAddress: string | null;
  /** Most bytes that a compressed body is decoded to; 1 MiB unless given. The command line has no WEBHOOK_MAX_BYTES. */
  maxBytes?: number;
};

/** `id` is the sender's own ID of the request. */
export type ToSign = {
  body: Uint8Array;
  secret: string;
  /** Older valid secrets: they sign too if the sender's header holds several signatures. */
  older?: readonly string[];
  url: string;
  id: string;
  now: Date;
  received?: Readonly<Record<string, string>>;
};

export type Renewed = { body: Uint8Array; url: string };

export type Scheme = {
  trust: SourceTrust;
  /** The one with the signature first. */
  headers: readonly string[];
  /** Set if the ID is signed. */
  idHeader?: string | undefined;
  /** Its value is the secret itself: never kept. */
  secretHeader?: string;
  /** A proof that is in no header, in words. */
  provenBy?: string;
  /** Fields of the body that the signature covers, if it doesn't cover the whole body. */
  covers?: readonly string[];
  /** Query parameter that carries the proof: masked in the kept query, and sealed. */
  proofQuery?: string;
  /** The signature is a part of the body: nobody can sign another time. */
  signatureInBody?: true;
  /** The body holds the secret itself: it is masked before anything is kept. */
  secretInBody?: true;
  /** A check may cost more than an HMAC: the time spent on invalid requests is bounded. */
  costly?: true;
  /** The secret is the sender's public key, of this kind. */
  publicKey?: KeyKind;
  /** The secret is written so; as text unless given. */
  keyForm?: "base64" | "hex";
  /** True for a secret that only verifies: `sign` can't use it. */
  onlySenderSigns?: (secret: string) => boolean;
  needsSecret: boolean;
  /** The ID is signed, so a late request may be kept: it can't be another's. */
  knowsLate?: true;
  /** Milliseconds since 1970 until which requests are kept without knowing how they are signed. */
  learnsUntil?: number;
  /** Takes constant time over the secrets; never throws. `now`: milliseconds since 1970. */
  verify: (request: SchemeRequest, secrets: readonly SigningSecret[], now: number) => Verification;
  /** Why a request can't verify with any signature; null if unknown. */
  explain?: (request: SchemeRequest) => { verdict: string; fix: string } | null;
  /** Body and URL as sent now, if one of them holds the time or digest that is checked. */
  renew?: (request: Renewed & { contentType: string; now: Date }) => Renewed;
  sign: (request: ToSign) => Record<string, string>;
  /** URL with the signature in it, where `sign` has no header for it. */
  signUrl?: (request: ToSign) => string;
  /** Returns what a body without its signature says, for bodies that are a signed token; null for another. */
  unwrap?: (body: Uint8Array) => Uint8Array | null;
};

export function readOnce(value: string | string[] | undefined): { text: string } | Exclude<Verification, { outcome: "verified" }> {
  if (value === undefined || value === "") return { outcome: "signature_missing" };
  return typeof value === "string" ? { text: value } : { outcome: "signature_repeated" };
}

/** Returns what follows the prefix; null without it. After a scheme such as `Bearer ` neither case nor the number of blanks counts (RFC 9110 section 11.1). */
export function afterPrefix(text: string, prefix: string): string | null {
  const [before, rest] = [text.slice(0, prefix.length), text.slice(prefix.length)];
  if (!prefix.endsWith(" ")) return before === prefix ? rest : null;
  return before.toLowerCase() === prefix.toLowerCase() ? rest.trimStart() : null;
}

export const proofOf = ({ provenBy, headers }: Pick<Scheme, "provenBy" | "headers">): string => provenBy ?? `the header ${headers[0]}`;
