import { readFact, readId } from "./field-names.ts";

/** What the platform tells of a link between an account and us, through an event. */
export type IntegrationNotice = {
  kind: "refreshed" | "error" | "disconnected";
  /** The platform's id of the link and the account, where `data` names them. */
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

const LONGEST_WORDS = 200;

/** True for the events that tell of a connection (platform-spec "Events"). */
export const tellsOfConnection = (type: string): boolean => Object.hasOwn(KINDS, type);

/**
 * Reads such an event. ASSUMPTION: platform-spec shows no fields of
 * integration events ("Data shape per event type: not shown"), so id, account
 * and error are looked for under their natural names (field-names.ts).
 *
 * @returns null for an event of another type
 */
export function readIntegrationNotice(type: string, data: Record<string, unknown>): IntegrationNotice | null {
  const kind = Object.hasOwn(KINDS, type) ? KINDS[type] : undefined;
  if (!kind) return null;
  const words = [textOf(data, "provider"), textOf(data, "errorCode"), textOf(data, "errorMessage")].filter(Boolean);
  return {
    kind,
    integrationId: readId(data, "integrationId") ?? null,
    account: readId(data, "account") ?? null,
    words: words.length > 0 ? words.join(": ").slice(0, LONGEST_WORDS).toWellFormed() : null,
  };
}

function textOf(data: Record<string, unknown>, fact: "provider" | "errorCode" | "errorMessage"): string | null {
  const value = readFact(data, fact)?.value;
  // Postgres text holds no U+0000; other control characters would break the line.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return typeof value === "string" ? value.replace(/[\u0000-\u001f\u007f]+/g, " ").trim() : null;
}

/** A connection as an event may name it. */
export type Candidate = { id: string; integrationId: string | null; account: string | null };

/**
 * Which connection an event belongs to: the one that it names by the
 * platform's id, else by account. ASSUMPTION: an event that names none that we
 * know belongs to the workspace's only connection; of several it can't be told.
 */
export function chooseConnection<T extends Candidate>(
  candidates: T[],
  { integrationId, account }: Pick<IntegrationNotice, "integrationId" | "account">,
): T | null {
  const only = (found: T[]): T | null => (found.length === 1 ? (found[0] ?? null) : null);
  const byId = integrationId === null ? [] : candidates.filter((each) => each.integrationId === integrationId);
  const byAccount = account === null ? [] : candidates.filter((each) => each.account === account);
  return only(byId) ?? only(byAccount) ?? only(candidates);
}
