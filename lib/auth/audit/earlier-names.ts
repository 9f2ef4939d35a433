import type { AuditEntry } from "#lib/contracts/auth/audit";

type Kind = AuditEntry["actor"]["kind"];

/** Names that earlier versions wrote; entries can't be changed. */
const ACTIONS: Record<string, string> = { "sign_in.refused": "sign_in.rejected" };

const ACTORS: Record<string, Kind> = { stranger: "anonymous" };

export const presentAction = (stored: string): string => ACTIONS[stored] ?? stored;

export const presentActor = (stored: Kind): Kind => ACTORS[stored] ?? stored;

export const storedActions = (action: string): string[] => [
  action,
  ...Object.keys(ACTIONS).filter((earlier) => ACTIONS[earlier] === action),
];

/** Names of operations that earlier versions recorded as actions. */
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

export const operationWords = (action: string): string | undefined => OPERATIONS[action];
