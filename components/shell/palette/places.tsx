/** Rights beyond reading; the palette checks no others. */
export type Rights = Record<
  "keys" | "audit" | "sources" | "members" | "connections" | "destinations" | "alerts" | "backups" | "sandbox" | "workspace",
  boolean
>;

export type PaletteScope = { rights: Rights; scope: string };

type Place = {
  label: string;
  href: string;
  needs?: keyof Rights;
  /** Label of the page's own command to run on arrival. */
  runs?: string;
  /** Other words to find it by. */
  also?: string[];
};

export const OTHER_WORDS: Record<string, string[] | undefined> = {
  "/settings/alerts": ["notifications", "channels", "email", "Slack", "PagerDuty"],
};

const PAGES: Place[] = [
  { label: "Workspace settings", href: "/settings" },
  { label: "Your account", href: "/settings/account", also: ["password", "sessions", "theme", "profile"] },
  { label: "Members", href: "/settings/members", also: ["users", "people", "team"] },
  { label: "Roles", href: "/settings/roles", also: ["permissions"] },
  { label: "API keys", href: "/settings/keys", needs: "keys", also: ["tokens"] },
  { label: "Sources and secrets", href: "/settings/sources", also: ["webhook URL", "signing secret"] },
  { label: "Signature playground", href: "/settings/sources/signature", also: ["check signature", "verify webhook", "HMAC"] },
  { label: "Outages", href: "/settings/outages", also: ["503", "lost webhooks", "downtime"] },
  { label: "Field mapping", href: "/settings/field-mapping", also: ["payload paths", "document ID", "map fields"] },
  { label: "Retention", href: "/settings/retention", also: ["delete old events"] },
  { label: "Records settings", href: "/settings/records", also: ["rebuild", "check records against the log"] },
  { label: "Backups", href: "/settings/backups", needs: "backups", also: ["restore"] },
  { label: "Audit log", href: "/settings/audit", needs: "audit", also: ["history", "who changed"] },
  { label: "Re-deliveries", href: "/redeliveries", also: ["replay"] },
  { label: "Documentation", href: "/docs/configuration", also: ["help", "manual", "runbook", "settings of the environment"] },
  { label: "API reference", href: "/api-reference", also: ["docs", "OpenAPI"] },
];

const ACTIONS: Place[] = [
  { label: "Create API key", href: "/settings/keys", needs: "keys", runs: "Create API key", also: ["new token"] },
  { label: "Rotate signing secret", href: "/settings/sources", needs: "sources", runs: "Rotate signing secret", also: ["rotate secret"] },
  { label: "Invite member", href: "/settings/members", needs: "members", runs: "Invite member", also: ["add user"] },
  { label: "Connect account", href: "/connections", needs: "connections", runs: "Connect account", also: ["add connection", "OAuth"] },
  { label: "Create destination", href: "/destinations", needs: "destinations", runs: "Create destination", also: ["forward events"] },
  { label: "Add source", href: "/settings/sources", needs: "sources", runs: "Add source", also: ["new sender"] },
  { label: "Add alert channel", href: "/settings/alerts", needs: "alerts", runs: "Add alert channel", also: ["notify"] },
  { label: "Re-deliver failed events", href: "/events?state=failed", also: ["retry", "replay"] },
  { label: "Release quarantined requests", href: "/quarantine", also: ["verify again"] },
  { label: "Export events", href: "/events", also: ["download", "CSV", "NDJSON"] },
  { label: "Export audit log", href: "/settings/audit", needs: "audit", also: ["download"] },
  { label: "Change password", href: "/settings/account" },
  { label: "End sessions", href: "/settings/account", also: ["sign out elsewhere"] },
  { label: "Rename workspace", href: "/settings", needs: "workspace" },
  { label: "Set retention", href: "/settings/retention", also: ["keep events"] },
  { label: "Rebuild records", href: "/settings/records", also: ["replay the log"] },
  { label: "Send test event", href: "/sandbox", needs: "sandbox", also: ["sandbox", "simulate"] },
];

const allowed = (places: Place[], rights: Rights) => places.filter(({ needs }) => needs === undefined || rights[needs]);

export const pagesFor = (rights: Rights): Place[] => allowed(PAGES, rights);

export const actionsFor = (rights: Rights): Place[] => allowed(ACTIONS, rights);
