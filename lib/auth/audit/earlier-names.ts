import type { AuditEntry } from "#lib/contracts/auth/audit";

type Kind = AuditEntry["actor"]["kind"];

/** The log can't be changed: actions that earlier versions wrote under another name, by that name. */
const ACTIONS: Record<string, string> = { "sign_in.refused": "sign_in.rejected" };

/** The same for the kinds of actors. */
const ACTORS: Record<string, Kind> = { stranger: "anonymous" };

/** A stored action by its present name. */
export const presentAction = (stored: string): string => ACTIONS[stored] ?? stored;

/** A stored kind of actor by its present name. */
export const presentActor = (stored: Kind): Kind => ACTORS[stored] ?? stored;

/** All names under which an action may be stored. */
export const storedActions = (action: string): string[] => [
  action,
  ...Object.keys(ACTIONS).filter((earlier) => ACTIONS[earlier] === action),
];

/** Actions, in words, that earlier versions recorded by the operation's name alone. */
const OPERATIONS: Record<string, string> = {
  "events.redeliver": "Started, resumed or stopped a re-delivery",
  "issues.manage": "Changed the state of an issue",
  "quarantine.release": "Re-verified quarantined requests",
  "views.rebuild": "Started or stopped a check or rebuild of the records",
  "missing_events.dismiss": "Dismissed a missing event",
  "connections.manage": "Connected an account or renewed its access",
  "retention.manage": "Changed how long events are kept",
  "sandbox.use": "Used the sandbox",
};

/** The words for an action that is an operation's name; undefined for any other. */
export const operationWords = (action: string): string | undefined => OPERATIONS[action];
