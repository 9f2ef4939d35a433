import { readFileSync } from "node:fs";
import path from "node:path";
import type { Rule } from "./source-file.ts";

/** Module whose stores may name a table. A module is a folder of lib/. */
export const TABLE_OWNERS: Record<string, readonly string[]> = {
  auth: [
    "api_keys",
    "audit_entries",
    "invitations",
    "known_devices",
    "memberships",
    "passkey_challenges",
    "passkeys",
    "recovery_codes",
    "sessions",
    "setup_links",
    "sign_in_failures",
    "sso_identities",
    "totp_factors",
    "users",
    "visits",
    "workspaces",
  ],
  api: ["idempotency_keys"],
  connections: ["authorization_attempts", "connection_history", "connection_tokens", "connections", "token_revocations"],
  sources: ["sources", "source_secrets", "field_mappings", "sender_fetches"],
  events: [
    "events",
    "event_keys",
    "event_conflicts",
    "event_hour_failures",
    "event_hour_places",
    "event_hours",
    "event_refs",
    "event_search",
    "event_search_marker",
    "event_search_progress",
    "event_search_refiling",
    "retention_tallies",
  ],
  processing: [
    "inbox",
    "log_places",
    "log_ranges",
    "attempts",
    "dead_letters",
    "redeliveries",
    "redelivery_items",
    "worker_heartbeats",
    "worker_totals",
  ],
  issues: ["issues", "issue_events"],
  quarantine: ["quarantine", "rejection_minutes"],
  "missing-events": ["missing_events", "missing_event_watch", "source_cadences", "arrival_places"],
  operations: ["operations"],
  outages: ["outage_minutes", "minute_batches", "outage_dismissals", "receiver_runs"],
  views: ["views", "task_moves", "view_bases", "view_folds"],
  "saved-filters": ["saved_filters"],
  "event-types": ["event_schemas", "event_schema_changes", "event_schema_drifts", "event_schema_settings", "event_schema_versions"],
  listeners: ["listeners", "local_deliveries"],
  backup: ["backups", "backup_folders", "backup_proofs"],
  forwarding: [
    "destinations",
    "destination_minutes",
    "destination_secrets",
    "destination_senders",
    "forward_attempts",
    "forward_deliveries",
  ],
  alerts: ["alert_channels", "alert_episodes", "alert_notifications", "alert_rules", "alert_sends", "alert_snoozes", "alert_watch"],
  sandbox: [
    "sandbox_codes",
    "sandbox_deliveries",
    "sandbox_grants",
    "sandbox_platforms",
    "sandbox_received",
    "sandbox_receivers",
    "sandbox_receiver_secrets",
    "sandbox_signing_secrets",
    "sandbox_spent_tokens",
  ],
};

/** A file that names tables of other modules, which, and why it may. */
type Crossing = { file: string; tables: readonly string[]; reason: string };

/** Every crossing there is. A new one needs a reason that holds. */
export const CROSSINGS: readonly Crossing[] = [
  // The receiver: one statement, one commit, before the answer.
  {
    file: "lib/ingest/log-store.ts",
    tables: ["events", "event_keys", "event_conflicts"],
    reason:
      "log and keys are written in one commit: nothing that was acknowledged may be in one of them alone; kept by the receiver before it answers; an event's key is locked while its bodies are counted",
  },
  {
    file: "lib/ingest/quarantine-insert-store.ts",
    tables: ["quarantine", "sources"],
    reason: "stored by the receiver before it answers 202, and held only while the source is paused",
  },
  {
    file: "lib/ingest/minute-count-store.ts",
    tables: ["rejection_minutes", "outage_minutes", "minute_batches", "sources"],
    reason: "the receiver alone knows what it did not keep or could not store; of the latter it may know no more than the source's name",
  },
  {
    file: "lib/ingest/source-lookup-store.ts",
    tables: ["sources", "source_secrets", "field_mappings"],
    reason: "the receiver reads a source and its secrets in one query, within its own time limit",
  },
  // An event's state and its source's name are derived where events are listed, counted and filtered: in the same query.
  {
    file: "lib/events/event-store.ts",
    tables: ["dead_letters", "attempts", "sources", "source_secrets"],
    reason: "the state, the last failure and the source's name of a listed event; the age of the secret that it verified with",
  },
  {
    file: "lib/db/sql.ts",
    tables: ["sources", "inbox", "log_places", "log_ranges", "events"],
    reason:
      "an event's ID is looked up by the sources of its workspace; whether an event waits is derived in the query that lists it: one condition for all modules that ask",
  },
  {
    file: "lib/events/log/event-lookup-store.ts",
    tables: ["sources", "log_places"],
    reason:
      "many events' IDs are looked up by the sources of their workspaces, in one statement that the keys' index leads; the names of the sources of some events; the oldest event beyond the horizon of all workspaces",
  },
  { file: "lib/events/source-arrival-store.ts", tables: ["sources"], reason: "the last arrival of each source of a workspace" },
  {
    file: "lib/events/feed-store.ts",
    tables: ["redeliveries", "redelivery_items", "sources"],
    reason: "a listener gets events and re-deliveries in one order, read by one statement below one horizon",
  },
  {
    file: "lib/listeners/listener-store.ts",
    tables: ["event_keys"],
    reason: "an answer is kept only for an event that the workspace has",
  },
  { file: "lib/events/hour-counter-store.ts", tables: ["workspaces"], reason: "each workspace has a place up to which its log is counted" },
  {
    file: "lib/events/hour-counter-sql.ts",
    tables: ["sources", "dead_letters"],
    reason: "the filter by a source's name, and the state of what waits, in the statement that counts",
  },
  {
    file: "lib/events/volume-store.ts",
    tables: ["sources", "dead_letters", "issue_events"],
    reason: "the filter by a source's name; failed and repaired events among those received",
  },
  { file: "lib/events/log/event-body-store.ts", tables: ["sources"], reason: "the filter by a source's name" },
  {
    file: "lib/events/search/filter-conditions.ts",
    tables: ["dead_letters", "sources"],
    reason: "the filters by state, and by reported failure: only a source of the platform's records reports one",
  },
  {
    file: "lib/events/search/candidate-queries.ts",
    tables: ["dead_letters", "connections", "connection_history", "issue_events"],
    reason: "filters by state, connection and issue: the narrow table leads to the events",
  },
  // Retention deletes events and what hangs on them by the policy of the workspace.
  {
    file: "lib/events/retention-store.ts",
    tables: ["workspaces", "inbox", "log_places", "destinations", "forward_deliveries", "sources"],
    reason: "the policy, and what still waits to be applied or sent; the policy is a column of the workspace",
  },
  { file: "lib/forwarding/delivery-store.ts", tables: ["workspaces"], reason: "the policy is a column of the workspace" },
  {
    file: "lib/quarantine/quarantine-store.ts",
    tables: ["workspaces", "sources"],
    reason:
      "the policy is a column of the workspace and of the source; the source's name of a listed or counted request; the paused sources, and how much each holds",
  },
  // Stores that refer to events by their place read them there.
  { file: "lib/processing/inbox-store.ts", tables: ["events"], reason: "a claim returns the events with their bodies" },
  {
    file: "lib/processing/backlog-store.ts",
    tables: ["events"],
    reason: "what waits, with its bodies; which events lie behind the places of their workspaces",
  },
  {
    file: "lib/processing/redelivery-store.ts",
    tables: ["events"],
    reason: "the set of a re-delivery, with the types and IDs; the set is frozen from the log, and read with its bodies",
  },
  { file: "lib/issues/issue-event-store.ts", tables: ["events", "event_refs"], reason: "an issue counts its events where they are" },
  {
    file: "lib/missing-events/watch-store.ts",
    tables: ["events", "workspaces", "sources"],
    reason: "the newest events of each workspace; whether a source receives, so that it can be silent",
  },
  {
    file: "lib/views/shadow-store.ts",
    tables: ["events", "event_keys"],
    reason: "the comparison tells moves whose events wait or have left the log from wrong ones",
  },
  { file: "lib/views/base-store.ts", tables: ["workspaces"], reason: "every workspace has a version of the fold" },
  {
    file: "lib/quarantine/diagnosis-store.ts",
    tables: ["sources"],
    reason: "the source's name of a group of requests; the source's name, which is part of the URL that a sender signs",
  },
  {
    file: "lib/quarantine/review-store.ts",
    tables: ["sources"],
    reason: "requests are dismissed by their source's name; the source's name of a listed request",
  },
  {
    file: "lib/issues/issue-store.ts",
    tables: ["event_keys", "sources", "users", "memberships"],
    reason: "the filter by the source of the newest failing event; an issue names its assignee, who is a member while it is assigned",
  },
  {
    file: "lib/missing-events/missing-event-store.ts",
    tables: ["event_keys", "sources"],
    reason: "the filter by the source of what implies it",
  },
  {
    file: "lib/connections/tokens/grant-store.ts",
    tables: ["workspaces"],
    reason: "a kept token of a workspace that is gone is left alone",
  },
  { file: "lib/forwarding/sender/due-delivery-store.ts", tables: ["events"], reason: "what is due is read with its bodies, within bytes" },
  {
    file: "lib/backup/copy-store.ts",
    tables: ["events"],
    reason: "the newest position and the months of the log stand in a backup's head",
  },
  { file: "lib/db/log-maintenance.ts", tables: ["events", "log_places"], reason: "the clock is compared with the highest stored position" },
  {
    file: "lib/db/clock-set-back.ts",
    tables: ["connections", "connection_tokens", "worker_heartbeats"],
    reason: "after the database's clock was set back, the times of all modules are put right at once",
  },
  {
    file: "lib/event-types/schema-store.ts",
    tables: ["events", "sources"],
    reason: "the name of a listed type's source; a value leaves a schema with the last event of its source that the log keeps",
  },
  // Stores that read the log of all workspaces find events by their places: the log's index leads with the workspace.
  { file: "lib/events/search/index-store.ts", tables: ["log_places"], reason: "the next events of all workspaces" },
  { file: "lib/processing/log-range-store.ts", tables: ["events"], reason: "the events of a range, with their bodies" },
  { file: "lib/processing/attempt-store.ts", tables: ["events"], reason: "in which range an event lies, and how long it waited" },
];

const SCHEMA = readFileSync(path.resolve(import.meta.dirname, "../../prisma/schema.prisma"), "utf8");

/** Table of each of Prisma's models, by the name that a call has: `prisma().apiKey` reads `api_keys`. */
const MODEL_TABLES = new Map(
  [...SCHEMA.matchAll(/^model (\w)(\w*) \{[^}]*?@@map\("(\w+)"\)/gm)].map(([, first = "", rest = "", table = ""]) => [
    first.toLowerCase() + rest,
    table,
  ]),
);

const MODEL_CALL = /\bprisma\((?:[^()]|\([^()]*\))*\)\s*\.(\w+)/g;

const NAMED = /\b(?:FROM|JOIN|INTO|UPDATE|TABLE|USING)\s+(?:ONLY\s+)?([a-z_]+)\b/g;

/** A store names the tables of its own module; every crossing is in the list above with its reason. */
export const tableOwnership: Rule = (files) => {
  const owners = new Map(Object.entries(TABLE_OWNERS).flatMap(([module, tables]) => tables.map((table) => [table, module] as const)));
  const offences: string[] = [];
  const used = new Set<string>();
  for (const { name, text } of files.filter((file) => /^lib\/.*\.ts$/.test(file.name))) {
    const module = name.split("/")[1];
    const allowed = CROSSINGS.find(({ file }) => file === name)?.tables ?? [];
    const models = [...text.matchAll(MODEL_CALL)].map(([, model = ""]) => MODEL_TABLES.get(model) ?? model);
    for (const table of new Set([...[...text.matchAll(NAMED)].map(([, found = ""]) => found), ...models])) {
      const owner = owners.get(table);
      if (owner === undefined || owner === module) continue;
      if (allowed.includes(table)) used.add(`${name} ${table}`);
      else offences.push(`${name} names the table ${table}, which belongs to lib/${owner}. Ask that module through a flow.`);
    }
  }
  const stale = CROSSINGS.flatMap(({ file, tables }) => tables.map((table) => `${file} ${table}`)).filter((each) => !used.has(each));
  return [...offences, ...stale.map((each) => `tools/rules/tables.ts allows a crossing that is not there any more: ${each}.`)];
};
