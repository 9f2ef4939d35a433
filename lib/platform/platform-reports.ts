import { storableText } from "#lib/contracts/api/plain-text";
import type { FieldMapping } from "#lib/contracts/sources/field-mapping";
import type { ResourceKind } from "./event-catalogue.ts";
import { type FactName, readFact, readId } from "./field-names.ts";
import { plainText } from "./payload.ts";

type FailureReport = {
  /** The platform's code, else the event's type. */
  code: string;
  message: string | null;
  /** The automation or integration that fails; null for a document, because each is its own. */
  place: string | null;
  subject: string | null;
};

type Recovery = { subject: [kind: ResourceKind, fact: FactName][]; by: string[] };

/**
 * ASSUMPTION: a failure is over when the same document is processed or deleted, the same automation completes, or the same integration
 * connects or renews its token, at the same second or later. docs/platform.md says only how failures are reported.
 */
const RECOVERIES: Record<string, Recovery> = {
  "document.error": { subject: [["document", "documentId"]], by: ["document.processed", "document.deleted"] },
  "automation.error": {
    subject: [
      ["automation", "automationId"],
      ["run", "runId"],
    ],
    by: ["automation.completed"],
  },
  "integration.error": {
    subject: [
      ["integration", "integrationId"],
      ["integration", "provider"],
    ],
    by: ["integration.connected", "integration.token_refresh"],
  },
};

const RECOVERY_OF = new Map(Object.values(RECOVERIES).flatMap((recovery) => recovery.by.map((type) => [type, recovery] as const)));

export const recoveryTypes = (type: string): string[] => RECOVERIES[type]?.by ?? [];

/** Returns the subject, such as `document:doc_1`, whose failures an event of success ends; null for other events. */
export function recoveredSubject(type: string, data: Record<string, unknown>, mapping: FieldMapping): string | null {
  const recovery = RECOVERY_OF.get(type);
  return recovery ? subjectOf(recovery, data, mapping) : null;
}

/** True if the event may end a failure: only then its `data` has to be read. */
export const mayRecover = (type: string): boolean => RECOVERY_OF.has(type);

export function readFailureReport(type: string, data: Record<string, unknown>, mapping: FieldMapping): FailureReport | null {
  const recovery = Object.hasOwn(RECOVERIES, type) ? RECOVERIES[type] : undefined;
  if (!recovery) return null;
  const message = readFact(data, "errorMessage", mapping);
  const subject = subjectOf(recovery, data, mapping);
  return {
    code: storable(readId(data, "errorCode", mapping), 100) ?? type,
    message: typeof message === "string" ? storable(message, 500) : null,
    place: type === "document.error" ? null : subject,
    subject,
  };
}

function subjectOf({ subject }: Recovery, data: Record<string, unknown>, mapping: FieldMapping): string | null {
  for (const [kind, fact] of subject) {
    const id = storable(readId(data, fact, mapping), 400);
    if (id !== null) return `${kind}:${id}`;
  }
  return null;
}

const storable = (text: string | undefined, longest: number): string | null =>
  text === undefined ? null : storableText(text.slice(0, longest));

export type IntegrationNotice = {
  kind: "connected" | "refreshed" | "error" | "disconnected";
  integrationId: string | null;
  account: string | null;
  /** The platform's own words and code, for the timeline; bounded, one line. */
  words: string | null;
};

const KINDS: Record<string, IntegrationNotice["kind"]> = {
  "integration.connected": "connected",
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
