import type { Role } from "#lib/contracts/settings";

const EVERYONE = ["owner", "admin", "developer", "viewer"] as const;
const BUILDERS = ["owner", "admin", "developer"] as const;
const KEEPERS = ["owner", "admin"] as const;
const OWNERS = ["owner"] as const;

type Rule = { does: string; roles: readonly Role[] };

/**
 * Who may do what: every operation of the product, what it is in words, and
 * the roles that may do it. Handlers, pages and tests read this table, and
 * Settings > Roles shows it.
 */
export const PERMISSIONS = {
  "overview.read": { does: "See the overview", roles: EVERYONE },
  "events.read": { does: "Read and search events, watch them come in", roles: EVERYONE },
  "events.redeliver": { does: "Deliver events again", roles: BUILDERS },
  "issues.manage": { does: "Acknowledge, resolve, ignore and reopen issues", roles: BUILDERS },
  "quarantine.read": { does: "See what was refused, and why", roles: EVERYONE },
  "quarantine.admit": { does: "Verify a refused request again and admit it", roles: BUILDERS },
  "views.read": { does: "See documents, tasks, pipelines, automations, integrations", roles: EVERYONE },
  "views.rebuild": { does: "Check the views against the log, and rebuild them", roles: KEEPERS },
  "findings.read": { does: "See what never came, as far as the log tells", roles: EVERYONE },
  "findings.dismiss": { does: "Dismiss such a suspicion", roles: BUILDERS },
  "connections.read": { does: "See connections", roles: EVERYONE },
  "connections.manage": { does: "Connect, renew and disconnect accounts", roles: BUILDERS },
  "sources.read": { does: "See sources and the age of their secrets", roles: EVERYONE },
  "sources.manage": { does: "Rotate signing secrets", roles: KEEPERS },
  "keys.manage": { does: "Make and revoke API keys", roles: KEEPERS },
  "members.read": { does: "See the members", roles: EVERYONE },
  "members.manage": { does: "Invite members, change their roles, remove them", roles: KEEPERS },
  "owners.manage": { does: "Make owners, and change or remove them", roles: OWNERS },
  "workspace.manage": { does: "Rename the workspace", roles: KEEPERS },
  "workspaces.create": { does: "Create another workspace", roles: KEEPERS },
  "audit.read": { does: "Read and export the audit log", roles: KEEPERS },
  "retention.read": { does: "See how long events are kept", roles: EVERYONE },
  "retention.manage": { does: "Set how long events are kept", roles: KEEPERS },
  "session.read": { does: "See who one is, and the table of roles", roles: EVERYONE },
  "account.manage": { does: "Change one's own password, end one's sessions, switch and leave workspaces", roles: EVERYONE },
  "sandbox.use": { does: "Use the sandbox platform", roles: BUILDERS },
} as const satisfies Record<string, Rule>;

export type Operation = keyof typeof PERMISSIONS;

/** True when the role may do the operation. The one function that decides. */
export function can(role: Role, operation: Operation): boolean {
  return (PERMISSIONS[operation].roles as readonly Role[]).includes(role);
}
