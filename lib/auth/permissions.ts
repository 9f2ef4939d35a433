import type { Role } from "#lib/contracts/settings";

/**
 * Who may do what: every operation of the product and the roles that may do
 * it. Handlers, pages and tests all read this table.
 */
export const PERMISSIONS = {
  "overview.read": ["owner", "admin", "developer", "viewer"],
  "events.read": ["owner", "admin", "developer", "viewer"],
  "events.redeliver": ["owner", "admin", "developer"],
  "quarantine.read": ["owner", "admin", "developer", "viewer"],
  "quarantine.admit": ["owner", "admin", "developer"],
  "views.read": ["owner", "admin", "developer", "viewer"],
  "connections.read": ["owner", "admin", "developer", "viewer"],
  "connections.manage": ["owner", "admin", "developer"],
  "sources.read": ["owner", "admin", "developer", "viewer"],
  "sources.manage": ["owner", "admin"],
  "keys.manage": ["owner", "admin"],
  "members.read": ["owner", "admin", "developer", "viewer"],
  "session.read": ["owner", "admin", "developer", "viewer"],
  "sandbox.use": ["owner", "admin", "developer"],
} as const satisfies Record<string, readonly Role[]>;

export type Operation = keyof typeof PERMISSIONS;

/** True when the role may do the operation. The one function that decides. */
export function can(role: Role, operation: Operation): boolean {
  return (PERMISSIONS[operation] as readonly Role[]).includes(role);
}
