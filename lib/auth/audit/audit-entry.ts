import { isDeepStrictEqual } from "node:util";
import { WORKSPACE_SETTINGS, type WorkspaceSetting } from "#lib/contracts/auth/account";
import { parseExact } from "#lib/contracts/exact-json";
import { operationWords } from "./earlier-names.ts";

type SettingWords = { [S in WorkspaceSetting as (typeof WORKSPACE_SETTINGS)[S]["action"]]: string };

/** Labels by `subject.past_participle`. */
export const AUDIT_ACTIONS = {
  "sign_in.succeeded": "Signed in",
  "sign_in.failed": "Failed to sign in",
  "sign_in.locked": "Locked out after too many failed sign-ins",
  "sign_in.rejected": "Rejected at single sign-on",
  "sign_in.factor_asked": "Entered the correct password and was asked for a second factor",
  "sign_in.factor_rejected": "Failed the second factor",
  "session.signed_out": "Signed out",
  "session.ended": "Ended a session",
  "session.others_ended": "Ended all other sessions",
  "session.confirmed": "Confirmed their password",
  "password.changed": "Changed their password",
  "password.reset": "Reset a password on the command line",
  "password.ended": "Signed in with single sign-on for the first time, which removed their password",
  "factor.added": "Added a second factor",
  "factor.removed": "Removed a second factor",
  "factor.all_removed": "Removed all second factors of an account",
  "recovery_code.replaced": "Created new recovery codes",
  "device.forgotten": "Forgot a remembered browser",
  "account.changed": "Changed their preferences",
  "workspace.created": "Created the workspace",
  ...(Object.fromEntries(Object.values(WORKSPACE_SETTINGS).map(({ action, words }) => [action, words])) as SettingWords),
  "workspace.entered": "Switched to the workspace",
  "member.invited": "Created an invite",
  "member.joined": "Joined the workspace",
  "member.role_changed": "Changed a role",
  "member.removed": "Removed a member",
  "member.left": "Left the workspace",
  "invitation.revoked": "Revoked an invite",
  "key.created": "Created an API key",
  "key.revoked": "Revoked an API key",
  "secret.added": "Added a signing secret",
  "secret.rotated": "Rotated a signing secret",
  "secret.accepted_again": "Accepted a retired signing secret again",
  "secret.learned": "Received a signing secret from a sender",
  "secret.shown": "Showed a signing secret that a sender had sent",
  "secret.ended": "Ended a retiring signing secret",
  "source.created": "Added a source",
  "source.changed": "Changed a source",
  "source.archived": "Archived a source",
  "source.restored": "Restored a source",
  "source.paused": "Paused a source",
  "source.resumed": "Resumed a source",
  "source.field_mapping_changed": "Changed a field mapping",
  "connection.started": "Started connecting an account",
  "connection.connected": "Connected an account",
  "connection.failed": "Failed to connect an account",
  "connection.renewed": "Renewed access manually",
  "connection.renewal_failed": "Tried to renew access manually, without success",
  "connection.renamed": "Renamed a connection",
  "connection.disconnected": "Disconnected an account",
  "redelivery.started": "Started a re-delivery",
  "redelivery.resumed": "Resumed a re-delivery",
  "redelivery.stopped": "Stopped a re-delivery",
  "rebuild.started": "Started rebuilding the records",
  "rebuild.stopped": "Stopped rebuilding the records",
  "rebuild.resumed": "Resumed rebuilding the records",
  "release.started": "Started releasing quarantined requests",
  "release.stopped": "Stopped releasing quarantined requests",
  "release.resumed": "Resumed releasing quarantined requests",
  "export.started": "Started an export of events",
  "export.stopped": "Stopped an export of events",
  "relearn.started": "Started relearning an event type",
  "relearn.stopped": "Stopped relearning an event type",
  "relearn.resumed": "Resumed relearning an event type",
  "event_type.accepted": "Accepted schema drift",
  "event_type.published": "Published a schema version",
  "event_type.pinned": "Pinned a schema",
  "event_type.unpinned": "Ended the pin of a schema",
  "event_type.field_changed": "Changed how a field's schema is learnt",
  "issue.acknowledged": "Acknowledged an issue",
  "issue.resolved": "Resolved an issue",
  "issue.ignored": "Ignored an issue",
  "issue.reopened": "Reopened an issue",
  "issue.assigned": "Changed who an issue is assigned to",
  "missing_event.dismissed": "Dismissed missing events",
  "missing_event.snoozed": "Snoozed missing events",
  "missing_event.restored": "Opened missing events again",
  "quarantine.released": "Released quarantined requests",
  "outages.dismissed": "Dismissed outages",
  "destination.created": "Created a destination",
  "destination.changed": "Changed a destination",
  "destination.paused": "Paused a destination",
  "destination.resumed": "Resumed a destination",
  "destination.tested": "Tested a destination",
  "destination.secret_rotated": "Rotated a destination's signing secret",
  "destination.deleted": "Deleted a destination",
  "delivery.retried": "Sent a delivery again",
  "retry.started": "Started to send deliveries again",
  "retry.stopped": "Stopped sending deliveries again",
  "retry.resumed": "Resumed sending deliveries again",
  "alert_channel.created": "Created an alert channel",
  "alert_channel.changed": "Changed an alert channel",
  "alert_channel.tested": "Tested an alert channel",
  "alert_channel.deleted": "Deleted an alert channel",
  "alert_rule.changed": "Changed an alert rule",
  "alert.snoozed": "Snoozed an alert",
  "alert.unsnoozed": "Ended the snooze of an alert",
  "quarantine.dismissed": "Dismissed quarantined requests",
  "quarantine.restored": "Restored dismissed requests",
  "quarantine.expired": "Deleted expired quarantined requests",
  "backup.started": "Started a backup",
  "backup.stopped": "Stopped a backup",
  "saved_filter.created": "Saved a filter",
  "saved_filter.changed": "Changed a saved filter",
  "saved_filter.deleted": "Deleted a saved filter",
  "retention.applied": "Deleted events past their retention period",
  "delivery.expired": "Cancelled expired held deliveries",
  "sandbox.event_sent": "Sent an event from the sandbox",
  "sandbox.sender_event_sent": "Sent an event to a source from the sandbox",
  "sandbox.scenario_run": "Ran a sandbox scenario",
  "sandbox.traffic_generated": "Generated sandbox traffic",
  "sandbox.secret_set": "Set the sandbox's signing secret",
  "sandbox.grants_revoked": "Revoked all sandbox grants",
  "sandbox.receiving_app_changed": "Changed how the sandbox's receiving app answers",
  "sandbox.receiving_app_secret_added": "Gave the sandbox's receiving app a signing secret",
} as const satisfies Record<string, string>;

export type AuditAction = keyof typeof AUDIT_ACTIONS;

/** Labels an action; earlier versions recorded some by the operation's name. */
export const auditWords = (action: string): string => AUDIT_ACTIONS[action as AuditAction] ?? operationWords(action) ?? action;

/** The part of an action before the dot, for the filter. */
export const AUDIT_SUBJECTS = [
  { value: "sign_in", label: "Sign-ins" },
  { value: "session", label: "Sessions" },
  { value: "password", label: "Passwords" },
  { value: "factor", label: "Second factors" },
  { value: "recovery_code", label: "Recovery codes" },
  { value: "device", label: "Remembered browsers" },
  { value: "member", label: "Members" },
  { value: "invitation", label: "Invites" },
  { value: "workspace", label: "Workspaces" },
  { value: "key", label: "API keys" },
  { value: "secret", label: "Signing secrets" },
  { value: "connection", label: "Connections" },
  { value: "redelivery", label: "Re-deliveries" },
  { value: "issue", label: "Issues" },
  { value: "event_type", label: "Event types" },
  { value: "relearn", label: "Relearning" },
  { value: "destination", label: "Destinations" },
  { value: "delivery", label: "Deliveries" },
  { value: "retry", label: "Deliveries in bulk" },
  { value: "alert", label: "Alerts" },
  { value: "alert_channel", label: "Alert channels" },
  { value: "alert_rule", label: "Alert rules" },
  { value: "quarantine", label: "Quarantine" },
  { value: "missing_event", label: "Missing events" },
  { value: "rebuild", label: "Rebuilds" },
  { value: "release", label: "Bulk releases" },
  { value: "export", label: "Exports" },
  { value: "backup", label: "Backups" },
  { value: "saved_filter", label: "Saved filters" },
  { value: "account", label: "Preferences" },
  { value: "retention", label: "Retention" },
  { value: "sandbox", label: "Sandbox" },
];

export type AuditValues = Record<string, unknown>;

/** Keeps the values that differ; where there is one side only (created, removed), all of it. */
export function changedValues(
  before: AuditValues | undefined,
  after: AuditValues | undefined,
): { before: AuditValues | null; after: AuditValues | null } {
  if (!before || !after) return { before: before ?? null, after: after ?? null };
  const changed = (one: AuditValues, other: AuditValues) =>
    Object.fromEntries(Object.entries(one).filter(([name, value]) => !isDeepStrictEqual(plain(value), plain(other[name]))));
  return { before: changed(before, after), after: changed(after, before) };
}

/** Normalizes to the stored form: a Date equals its text. */
const plain = (value: unknown): unknown => (value === undefined ? undefined : parseExact(JSON.stringify(value)));

const SECRET_NAME = /secret|password|token|sealed|hash|authorization|cookie|^key$|api_?key$/i;

/** Returns the JSON to store, with strings and objects under the name of a secret hidden at any depth. */
export const withoutSecrets = (values: AuditValues): string =>
  JSON.stringify(values, (name: string, value: unknown) =>
    SECRET_NAME.test(name) && value !== null && (typeof value === "string" || typeof value === "object") ? "(hidden)" : value,
  );

/** Actor of automatic deletions. */
export const RETENTION = { kind: "system", id: null, name: "Retention", credential: null } as const;
