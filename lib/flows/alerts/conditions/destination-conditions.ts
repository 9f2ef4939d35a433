import type { AlertCondition } from "#lib/alerts/episode-store";
import { HELD_DAYS } from "#lib/contracts/forwarding/deliveries";
import type { SuspensionReason } from "#lib/contracts/forwarding/destinations";
import type { TroubledDestination } from "#lib/forwarding/troubled-destination-store";

const REASONS: Record<SuspensionReason, string> = {
  failing: "Too many attempts failed.",
  gone: "It answered 410 Gone. Nothing is sent until someone resumes it.",
  no_success: "Nothing was delivered for 120 hours.",
};

export const destinationConditions = (destinations: TroubledDestination[]): AlertCondition[] =>
  destinations.flatMap((destination) => [...suspension(destination), ...exhaustion(destination)]);

function suspension({ workspaceId, id, name, suspended, lastFailureText, pending }: TroubledDestination): AlertCondition[] {
  if (suspended === null) return [];
  const last = lastFailureText && suspended === "failing" ? ` Last: ${lastFailureText}.` : "";
  return [
    {
      ...{ workspaceId, rule: "destination", subject: id, path: `/destinations/${id}`, action: "View destination" },
      title: `${name} is suspended: nothing is sent to it`,
      detail: `${REASONS[suspended]}${last} Deliveries are held, and their events are kept for up to ${HELD_DAYS} days past your retention period.`,
      count: pending,
      unit: "deliveries held",
    },
  ];
}

/** Returns a subject apart from the suspension's, because each ends by itself. */
const exhaustedSubject = (id: string) => `${id}:exhausted`;

function exhaustion({ workspaceId, id, name, exhausted }: TroubledDestination): AlertCondition[] {
  if (exhausted === 0) return [];
  return [
    {
      ...{ workspaceId, rule: "destination", subject: exhaustedSubject(id), path: `/destinations/${id}`, action: "View deliveries" },
      title: `Deliveries to ${name} are exhausted`,
      detail: "Their last attempt failed. Send them again once the destination works.",
      count: exhausted,
      unit: "deliveries exhausted",
    },
  ];
}
