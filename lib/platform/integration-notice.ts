import type { FieldMapping } from "#lib/contracts/sources/field-mapping";
import { readFact, readId } from "./field-names.ts";
import { plainText } from "./oauth/plain-text.ts";

export type IntegrationNotice = {
  kind: "refreshed" | "error" | "disconnected";
  integrationId: string | null;
  account: string | null;
  /** The platform's own words and code, for the timeline; bounded, one line. */
  words: string | null;
};

const KINDS: Record<string, IntegrationNotice["kind"]> = {
  "integration.token_refresh": "refreshed",
  "integration.error": "error",
  "integration.disconnected": "disconnected",
};

const MAX_WORDS = 200;

/** True for the events about a connection (docs/platform.md, "Events"). */
export const tellsOfConnection = (type: string): boolean => Object.hasOwn(KINDS, type);

/** Returns null for other types. ASSUMPTION: docs/platform.md shows no fields of integration events, so natural names are read. */
export function readIntegrationNotice(type: string, data: Record<string, unknown>, mapping: FieldMapping): IntegrationNotice | null {
  const kind = Object.hasOwn(KINDS, type) ? KINDS[type] : undefined;
  if (!kind) return null;
  const words = (["provider", "errorCode", "errorMessage"] as const).map((fact) => textOf(readFact(data, fact, mapping))).filter(Boolean);
  return {
    kind,
    integrationId: readId(data, "integrationId", mapping) ?? null,
    account: readId(data, "account", mapping) ?? null,
    words: words.length > 0 ? words.join(": ").slice(0, MAX_WORDS).toWellFormed() : null,
  };
}

const textOf = (value: unknown): string | null => (typeof value === "string" ? plainText(value) : null);

export type Candidate = { id: string; integrationId: string | null; account: string | null };

/**
 * Returns the connection named by ID, else by account. ASSUMPTION: an unnamed event belongs to the workspace's only connection, unless it
 * names another link or account: then it is about a foreign integration, such as a file store.
 */
export function chooseConnection<T extends Candidate>(
  candidates: T[],
  { integrationId, account }: Pick<IntegrationNotice, "integrationId" | "account">,
): T | null {
  const only = (found: T[]): T | null => (found.length === 1 ? (found[0] ?? null) : null);
  const byId = integrationId === null ? [] : candidates.filter((each) => each.integrationId === integrationId);
  const byAccount = account === null ? [] : candidates.filter((each) => each.account === account);
  const differs = (own: string | null, named: string | null) => own !== null && named !== null && own !== named;
  const unnamed = only(candidates);
  const another = unnamed !== null && (differs(unnamed.integrationId, integrationId) || differs(unnamed.account, account));
  return only(byId) ?? only(byAccount) ?? (another ? null : unnamed);
}
