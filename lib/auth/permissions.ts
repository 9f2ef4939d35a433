import type { Role } from "#lib/contracts/auth/settings";

const EVERYONE = ["owner", "admin", "developer", "viewer"] as const;
const DEVELOPERS = ["owner", "admin", "developer"] as const;
const ADMINS = ["owner", "admin"] as const;
const OWNERS = ["owner"] as const;

/** `installation`: affects every workspace, so only people of the first one may do it. */
type Rule = { does: string; roles: readonly Role[]; installation?: true };

/** Handlers, pages, tests and Settings > Roles read this table. */
export const PERMISSIONS = {
  "overview.read": { does: "View the overview", roles: EVERYONE },
  "events.read": { does: "Read and search events, watch the live feed", roles: EVERYONE },
  "events.redeliver": { does: "Re-deliver events", roles: DEVELOPERS },
  "local_deliveries.record": { does: "Record what a local app answered (signalbox listen and replay)", roles: DEVELOPERS },
  "assistants.use": { does: "Let an assistant use the API through MCP, with your own role", roles: EVERYONE },
  "issues.manage": { does: "Acknowledge, resolve, ignore and reopen issues", roles: DEVELOPERS },
  "event_types.manage": { does: "Accept schema drift, set fields, publish and pin schemas, relearn them", roles: DEVELOPERS },
  "quarantine.read": { does: "View quarantined requests and their diagnoses", roles: EVERYONE },
  "quarantine.release": { does: "Verify quarantined requests again and release them", roles: DEVELOPERS },
  "quarantine.dismiss": { does: "Dismiss and restore quarantined requests", roles: DEVELOPERS },
  "views.read": { does: "View documents, tasks, pipelines, automations and integrations", roles: EVERYONE },
  "views.rebuild": { does: "Check records against the log and rebuild them", roles: ADMINS },
  "missing_events.read": { does: "View missing events", roles: EVERYONE },
  "missing_events.dismiss": { does: "Dismiss and snooze missing events", roles: DEVELOPERS },
  "outages.read": { does: "View when webhooks may have been lost through Signalbox", roles: EVERYONE },
  "outages.dismiss": { does: "Dismiss outages", roles: DEVELOPERS },
  "connections.read": { does: "View connections", roles: EVERYONE },
  "connections.manage": { does: "Connect, renew and disconnect accounts", roles: DEVELOPERS },
  "sources.read": { does: "View sources and the age of their secrets", roles: EVERYONE },
  "signatures.check": { does: "Check a signature against a secret that you enter", roles: EVERYONE },
  "sources.map_fields": { does: "Change which payload fields a source's records are read from", roles: DEVELOPERS },
  "sources.check": { does: "Check a request against a source, without storing it", roles: DEVELOPERS },
  "sources.manage": { does: "Add, change and archive sources, rotate signing secrets, accept retired ones again", roles: ADMINS },
  "destinations.read": { does: "View destinations, deliveries and what was answered", roles: EVERYONE },
  "destinations.manage": { does: "Add, change, pause and delete destinations, send deliveries again", roles: DEVELOPERS },
  "alerts.read": { does: "View alerts, their rules and channels", roles: EVERYONE },
  "alerts.manage": { does: "Change alert rules and channels, snooze and mute alerts", roles: DEVELOPERS },
  "keys.manage": { does: "Create and revoke API keys", roles: ADMINS },
  "members.read": { does: "View members", roles: EVERYONE },
  "members.manage": { does: "Invite members, change their roles and remove them", roles: ADMINS },
  "owners.manage": { does: "Add, change and remove owners", roles: OWNERS },
  "workspace.manage": { does: "Change the workspace's general settings", roles: ADMINS },
  "workspace.secure": { does: "Require a second factor, remove the second factors of members", roles: OWNERS },
  "workspaces.create": { does: "Create another workspace", roles: ADMINS },
  "operations.read": { does: "View the progress of long operations", roles: EVERYONE },
  "operations.manage": { does: "Stop and resume long operations", roles: DEVELOPERS },
  "audit.read": { does: "Read and export the audit log", roles: ADMINS },
  "retention.read": { does: "View how long events are kept", roles: EVERYONE },
  "retention.manage": { does: "Set how long events are kept", roles: ADMINS },
  "backups.read": { does: "View backups (in the first workspace, which runs the installation)", roles: ADMINS, installation: true },
  "backups.manage": { does: "Make and stop backups (in the first workspace)", roles: ADMINS, installation: true },
  "saved_filters.read": { does: "View shared filters and your own", roles: EVERYONE },
  "saved_filters.manage": { does: "Save filters for yourself", roles: EVERYONE },
  "saved_filters.share": { does: "Share filters with the workspace, change and delete shared ones", roles: DEVELOPERS },
  "session.read": { does: "View your own account and the roles", roles: EVERYONE },
  "account.manage": {
    does: "Change your own password and second factors, end your sessions, switch and leave workspaces",
    roles: EVERYONE,
  },
  "sandbox.use": { does: "Use the sandbox platform", roles: DEVELOPERS },
} as const satisfies Record<string, Rule>;

export type Operation = keyof typeof PERMISSIONS;

export const isOfInstallation = (operation: Operation): boolean => "installation" in PERMISSIONS[operation];

/** True if the role may do it in its workspace; `mayDo` decides for an actor. */
export function can(role: Role, operation: Operation): boolean {
  return (PERMISSIONS[operation].roles as readonly Role[]).includes(role);
}

/** The oldest workspace's owners and admins run the installation (docs/decisions/0078). */
export const FIRST_WORKSPACE = "SELECT id FROM workspaces ORDER BY created_at, id LIMIT 1";
