import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import { storableText } from "#lib/contracts/api/plain-text";
import { MASKED } from "#lib/platform/schemes/kept-request";
import type { SignatureForm } from "#lib/platform/signature";

/** A verified event on its way into the log. */
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
  /** The bytes that came, where they are others of the same JSON: evidence, that nothing reads. Null where they are the body. */
  receivedBody: Uint8Array | null;
  headers: Record<string, string>;
  remoteAddress: string | null;
  receivedAt: Date;
};

/** Outcome of storing it, after commit, and the number of events that shared the commit. */
export type Receipt = { outcome: "stored" | "duplicate" | "conflict"; groupSize?: number };

/**
 * Names of headers that carry a secret of the transport. A signature is none: it proves one body alone, and people compare it. One that stands
 * in such a header is sealed (flows/ingest/keep-webhook.ts).
 */
const SECRET = /^((proxy-)?authorization|(set-)?cookie|(x-)?api-?key|.*[-_](token|secret|password|credentials?|api-?key))$/;

/**
 * Headers as they are kept: one line each, secrets of the transport masked.
 *
 * @param secretHeader one more that holds a secret: the source's own
 */
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
/** Senders send the same names in every request; a stranger's inventions push them out for a moment. */
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
