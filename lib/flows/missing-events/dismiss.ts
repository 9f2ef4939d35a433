import { type Actor, actorName } from "#lib/auth/actor";
import type { Audit } from "#lib/auth/audit/audit";
import { AppError } from "#lib/contracts/api/app-error";
import type { MissingEvent } from "#lib/contracts/missing-events";
import { dismissMissingEvent } from "#lib/missing-events/missing-event-store";

/** Dismisses a missing event; one that is not open stays as it is. @throws AppError `not_found` */
export async function dismiss(actor: Actor, id: string, now: Date, audit: Audit): Promise<MissingEvent> {
  const found = await dismissMissingEvent(actor.workspaceId, id, actorName(actor), now);
  if (!found) throw new AppError("not_found", "There is no missing event with that ID.");
  const { missingEvent, dismissed } = found;
  const target = { kind: "missing_event", id, name: missingEvent.what };
  if (dismissed)
    await audit.record({ action: "missing_event.dismissed", target, before: { state: "open" }, after: { state: missingEvent.state } });
  else audit.unchanged();
  return missingEvent;
}
