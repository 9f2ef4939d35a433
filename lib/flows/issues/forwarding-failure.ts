import type { Failure } from "#lib/contracts/events/events";
import { MAX_ATTEMPTS } from "#lib/forwarding/sender/schedule";

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
