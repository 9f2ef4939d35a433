import type { Failure } from "#lib/contracts/events/events";
import type { IssueOrigin } from "#lib/contracts/issues";
import { MAX_ATTEMPTS } from "#lib/forwarding/sender/attempt-timing";
import { describeType } from "#lib/platform/event-catalogue";
import { explainFailure } from "#lib/processing/failures";

export const issueFailure = ({ origin, code, type, words }: { origin: IssueOrigin; code: string; type: string; words: string }): Failure =>
  origin === "processing" ? explainFailure(code, words) : platformFailure(code, type, words);

/** Explains a failure of the platform, in its own words as far as it gave any. */
function platformFailure(code: string, type: string, words: string): Failure {
  const meaning = describeType(type)?.meaning ?? type;
  return {
    code,
    what: words === meaning ? meaning : `${meaning}: ${words}`,
    why: "The platform reports this failure. The webhooks themselves arrived and were applied.",
    fix: FIXES[type] ?? "Fix it on the platform. When it succeeds there, this issue is resolved automatically.",
  };
}

const FIXES: Record<string, string> = {
  "document.error":
    "Fix the document on the platform, or upload it again. When it is processed there, this issue is resolved automatically.",
  "automation.error":
    "Open the automation on the platform and fix the failing step. When it next completes, this issue is resolved automatically.",
  "integration.error":
    "Check the connection in Signalbox and the integration on the platform. When it connects or renews its access, this issue is resolved automatically.",
};

/** Explains an issue of a destination. @param words of its last attempt */
export function forwardingFailure(code: string, name: string, words: string): Failure {
  if (code === "destination_suspended")
    return {
      code,
      what: `${name} is suspended: ${words}`,
      why: "It failed too often, or answered 410 Gone. Its deliveries are held, and nothing is lost.",
      fix: "Fix the application. Signalbox tries again automatically, except after a 410: then resume the destination.",
    };
  return {
    code,
    what: `Deliveries to ${name} are exhausted: ${words}`,
    why: `Each was attempted ${MAX_ATTEMPTS} times over about three days without a 2xx response.`,
    fix: "Fix the application or the filter, then send the exhausted deliveries again from the destination's page.",
  };
}
