import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import { storableText } from "#lib/contracts/api/plain-text";
import { MASKED } from "#lib/platform/schemes/sender-requests";
import type { SignatureForm } from "#lib/platform/signature";

export type NewEvent = {
  workspaceId: WorkspaceId;
  sourceId: SourceId;
  eventId: string;
  type: string;
  /** The platform's time, Unix seconds. */
  created: number;
  recognised: boolean;
  signatureForm: SignatureForm | "released";
  secretId: string;
  /** The bytes that were signed. */
  body: Uint8Array;
  /** The bytes that came, where they differ from the signed ones in form: evidence that nothing reads. */
  receivedBody: Uint8Array | null;
  headers: Record<string, string>;
  remoteAddress: string | null;
  receivedAt: Date;
};

/** Outcome after commit. `groupSize`: events that shared the commit. */
export type Receipt = { outcome: "stored" | "duplicate" | "conflict"; groupSize?: number };

/** Headers with a secret of the transport. A signature is no secret: it proves one body, and people compare it. */
const SECRET = /^((proxy-)?authorization|(set-)?cookie|(x-)?api-?key|.*[-_](token|secret|password|credentials?|api-?key))$/;

/** Returns headers on one line each, secrets masked. @param secretHeader the source's own */
export function keptHeaders(headers: Record<string, string | string[] | undefined>, secretHeader?: string): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined) continue;
    const { lower, isSecret } = readName(name);
    kept[lower] = lower === secretHeader || isSecret ? MASKED : storableText(Array.isArray(value) ? value.join(", ") : value);
  }
  return kept;
}

type HeaderName = { lower: string; isSecret: boolean };
/** Senders repeat their names; names that a stranger makes up only clear the cache. */
const NAMES = new Map<string, HeaderName>();
const MAX_NAMES = 1000;

function readName(name: string): HeaderName {
  const known = NAMES.get(name);
  if (known) return known;
  const lower = name.toLowerCase();
  const read = { lower, isSecret: SECRET.test(lower) };
  if (NAMES.size >= MAX_NAMES) NAMES.clear();
  NAMES.set(name, read);
  return read;
}
