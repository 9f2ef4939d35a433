import { storableText } from "#lib/contracts/api/plain-text";
import type { FieldMapping } from "#lib/contracts/sources/field-mapping";
import type { ResourceKind } from "./event-catalogue.ts";
import { type FactName, readFact, readId } from "./field-names.ts";

export type FailureReport = {
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
