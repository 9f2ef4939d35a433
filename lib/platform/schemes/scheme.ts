import type { SourceTrust } from "#lib/contracts/sources/templates";
import type { SigningSecret, Verification } from "../signature.ts";

/** A request as a scheme reads it. Header names are in small letters. */
export type SchemeRequest = {
  body: Uint8Array;
  headers: Record<string, string | string[] | undefined>;
  /** The URL that the sender posted to, with its query: some senders sign it. */
  url: string;
  remoteAddress: string | null;
};

/** Input of `sign`, which is `verify` backwards. `id` is the sender's own id of the request. */
export type ToSign = {
  body: Uint8Array;
  secret: string;
  /** Older secrets that are still valid: they sign as well where the sender's header holds several signatures. */
  older?: readonly string[];
  url: string;
  id: string;
  now: Date;
  /** The headers of a request that is signed again. */
  received?: Readonly<Record<string, string>>;
};

/** A request that is sent anew, before it is signed. */
export type Renewed = { body: Uint8Array; url: string };

/** A sender's way to prove that a request is its own. */
export type Scheme = {
  trust: SourceTrust;
  /** The headers that it reads, the one with the signature first. */
  headers: readonly string[];
  /** The header of the request's ID, where it is signed. */
  idHeader?: string | undefined;
  /** A header whose value is the secret itself: never kept. */
  secretHeader?: string;
  /** Place of a proof that is in no header, in words. */
  provenBy?: string;
  /** The secret itself stands in the body: it is masked before anything is kept. */
  secretInBody?: true;
  /** True where a check may cost more than an HMAC: the time that is spent in vain is bounded. */
  costly?: true;
  /** True for a secret that only verifies: `sign` can't be used with it. */
  onlySenderSigns?: (secret: string) => boolean;
  needsSecret: boolean;
  /** True where a request after its time limit may be kept: its ID is signed, so that it can't be another's. */
  knowsLate?: true;
  /** Until when requests are kept although nobody knows how they are signed, milliseconds since 1970. */
  learnsUntil?: number;
  /**
   * True or false of the request, in constant time over the secrets; never throws.
   *
   * @param now milliseconds since 1970
   */
  verify: (request: SchemeRequest, secrets: readonly SigningSecret[], now: number) => Verification;
  /** Why a request can't verify whatever its signature is, in words; null where that is not known. */
  explain?: (request: SchemeRequest) => { verdict: string; fix: string } | null;
  /** The body and the URL as the sender would send them now, where one of them holds the time or the digest that is checked. */
  renew?: (request: Renewed & { contentType: string; now: Date }) => Renewed;
  /** The headers that the sender would send. */
  sign: (request: ToSign) => Record<string, string>;
};

/** A header that must have come once; what is wrong with it otherwise. */
export function readOnce(value: string | string[] | undefined): { text: string } | Exclude<Verification, { outcome: "verified" }> {
  if (value === undefined || value === "") return { outcome: "signature_missing" };
  return typeof value === "string" ? { text: value } : { outcome: "signature_repeated" };
}

/** Returns where a request of this scheme has its proof, in words. */
export const proofOf = ({ provenBy, headers }: Pick<Scheme, "provenBy" | "headers">): string => provenBy ?? `the header ${headers[0]}`;
