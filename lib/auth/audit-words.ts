import { PERMISSIONS } from "./permissions.ts";

/** What happened, in words, by action. An action that is an operation's name has that operation's words. */
const WORDS: Record<string, string> = {
  "sign_in.succeeded": "Signed in",
  "sign_in.failed": "Tried to sign in and failed",
  "sign_in.locked": "Failed too often: held up for a while",
  "sign_in.refused": "Refused at single sign-on",
  "session.signed_out": "Signed out",
  "session.ended": "Ended a session",
  "session.others_ended": "Ended all other sessions",
  "password.changed": "Changed the own password",
  "workspace.created": "Created the workspace",
  "workspace.renamed": "Renamed the workspace",
  "workspace.entered": "Switched to the workspace",
  "member.invited": "Made an invitation",
  "member.joined": "Joined the workspace",
  "member.role_changed": "Changed a role",
  "member.removed": "Removed a member",
  "member.left": "Left the workspace",
  "invitation.revoked": "Took an invitation back",
  "key.created": "Made an API key",
  "key.revoked": "Revoked an API key",
  "source.created": "Made a source",
  "secret.rotated": "Rotated a signing secret",
  "connection.started": "Began to connect an account",
  "connection.connected": "Connected an account",
  "connection.failed": "Came back from the platform without an account",
  "connection.renewed": "Renewed an access by hand",
  "connection.disconnected": "Disconnected an account",
  "event.redelivered": "Delivered an event again",
  "events.redelivered": "Delivered many events again",
  "redelivery.aborted": "Stopped a re-delivery",
  "quarantine.admitted": "Admitted a refused request",
};

/** An action of the audit log in words. */
export const auditWords = (action: string): string => WORDS[action] ?? PERMISSIONS[action as keyof typeof PERMISSIONS]?.does ?? action;

/** What the log's actions are about, for a filter: the part before the dot, with words. */
export const AUDIT_SUBJECTS = [
  { value: "sign_in", label: "Sign-ins" },
  { value: "session", label: "Sessions" },
  { value: "password", label: "Passwords" },
  { value: "member", label: "Members" },
  { value: "invitation", label: "Invitations" },
  { value: "workspace", label: "Workspaces" },
  { value: "key", label: "API keys" },
  { value: "secret", label: "Signing secrets" },
  { value: "connection", label: "Connections" },
  { value: "event", label: "Re-deliveries" },
  { value: "quarantine", label: "Refused requests" },
];
