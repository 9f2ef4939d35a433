import {
  ArrowRight,
  CircleDot,
  FileText,
  History,
  Kanban,
  LogOut,
  Plug,
  Search,
  Settings,
  Shapes,
  Webhook,
  Workflow,
  Zap,
} from "lucide-react";
import { useTheme } from "next-themes";
import { useState } from "react";
import { navGroups } from "#components/shell/navigation/navigation";
import { THEMES } from "#components/shell/themes";
import { resourceHref } from "#lib/client/format/resource-links";
import { jumpTarget } from "#lib/client/jump";
import { useSources } from "#lib/client/queries/settings";
import { visible } from "#lib/contracts/api/plain-text";
import type { Source } from "#lib/contracts/sources/sources";
import type { ViewKind, ViewSearchResult } from "#lib/contracts/views";
import { type Command, runOnArrival, useCommandList } from "./commands.tsx";
import { guessValue, type PaletteGroup, type PaletteItem, recordValue, SEARCH_EVENTS } from "./palette-items.tsx";
import { recentPages } from "./recent.tsx";

type Props = PaletteScope & { close: () => void; go: (href: string) => void };

export function usePlaceGroups({ rights, scope, close, go }: Props): [own: PaletteGroup, ...PaletteGroup[]] {
  const commands = useCommandList().filter(({ run, quiet }) => run && !quiet);
  const own = [...new Map(commands.map((command) => [command.label, command])).values()];
  const elsewhere = actionsFor(rights).filter(({ label }) => !own.some((command) => command.label === label));
  const [recent] = useState(() => new Set(recentPages(scope).map(({ href }) => href)));
  const pages = navGroups(rights.sandbox).flatMap(({ items }) => items);
  const itemOf = ({ label, keys, run }: Command): PaletteItem => ({
    value: label,
    icon: <Zap />,
    label,
    keys,
    run: () => {
      close();
      // The palette restores the focus first; then the command's target may take it.
      setTimeout(() => run?.());
    },
  });
  return [
    { heading: "Actions", items: own.filter(({ everywhere }) => !everywhere).map(itemOf) },
    {
      heading: "Go to",
      items: [
        ...pages.map(({ href, label, icon: Icon }) => ({
          value: label,
          also: OTHER_WORDS[href],
          icon: <Icon aria-hidden />,
          label,
          run: () => go(href),
        })),
        ...pagesFor(rights)
          .filter(({ href }) => !recent.has(href))
          .map(({ href, label, also }) => ({ value: label, also, icon: <Settings />, label, run: () => go(href) })),
      ],
    },
    { heading: "On every page", items: own.filter(({ everywhere }) => everywhere).map(itemOf) },
    {
      heading: "Actions on other pages",
      items: elsewhere.map(({ label, href, runs, also }) => ({
        value: label,
        also,
        icon: <ArrowRight />,
        label,
        run: () => {
          runOnArrival(runs ?? null);
          go(href);
        },
      })),
    },
  ];
}

type Everywhere = { text: string; close: () => void; go: (href: string) => void; askToSignOut: () => void };

export function useEverywhereGroups({ text, close, go, askToSignOut }: Everywhere): PaletteGroup[] {
  const { setTheme } = useTheme();
  const closing = (run: () => void) => () => {
    close();
    run();
  };
  const typed = text.trim();
  return [
    {
      heading: "Appearance and account",
      items: [
        ...THEMES.map((theme) => ({
          value: `Theme ${theme.label}`,
          icon: theme.icon,
          label: `Theme: ${theme.label.toLowerCase()}`,
          run: closing(() => setTheme(theme.value)),
        })),
        { value: "Sign out", icon: <LogOut />, label: "Sign out", run: closing(askToSignOut) },
      ],
    },
    {
      heading: "Search",
      items: [
        {
          value: SEARCH_EVENTS,
          icon: <Search />,
          label: (
            <>
              Search events{typed === "" ? null : " for "}
              <span className="font-mono text-12">{typed}</span>
            </>
          ),
          run: () => go(`/events?q=${encodeURIComponent(typed)}`),
        },
      ],
    },
  ];
}

const ICONS: Record<ViewKind, typeof FileText> = {
  document: FileText,
  task: CircleDot,
  pipeline: Kanban,
  automation: Workflow,
  run: Workflow,
  integration: Plug,
  record: Shapes,
};

type Found = { text: string; records: ViewSearchResult[]; approximate: boolean; scope: string; go: (href: string) => void };

export function useFoundGroups({ text, records, approximate, scope, go }: Found): PaletteGroup[] {
  const [recent] = useState(() => recentPages(scope));
  const found = records.map((record) => ({ record, href: resourceHref(record) ?? "/" }));
  const hrefs = new Set(found.map(({ href }) => href));
  const target = jumpTarget(text);
  const { data: sources = [] } = useSources();
  return [
    {
      heading: "Recent",
      items: recent
        .filter(({ href }) => !hrefs.has(href))
        .map(({ href, label }) => ({ value: `${label} ${href}`, icon: <History />, label, run: () => go(href) })),
    },
    {
      heading: "Jump to",
      items: target && !hrefs.has(target.href) ? [jumpItem(target, text.trim(), go)] : [],
    },
    {
      heading: approximate ? "Records with a similar name" : "Records",
      items: found.map(({ record, href }) => recordItem(record, () => go(href))),
    },
    { heading: "Sources", items: text.trim() === "" ? [] : sources.map((source) => sourceItem(source, go)) },
  ];
}

const jumpItem = ({ href, word }: { href: string; word: string }, id: string, go: (href: string) => void): PaletteItem => ({
  value: guessValue(id),
  icon: <ArrowRight />,
  label: (
    <>
      Open {word} <bdi className="font-mono text-12">{visible(id)}</bdi>
    </>
  ),
  run: () => go(href),
});

const sourceItem = ({ name, sender }: Source, go: (href: string) => void): PaletteItem => ({
  value: `Events of ${name}`,
  also: [name, sender],
  icon: <Webhook />,
  label: `Events of ${name}`,
  beside: sender,
  run: () => go(`/events?source=${encodeURIComponent(name)}`),
});

function recordItem(record: ViewSearchResult, run: () => void): PaletteItem {
  const Icon = ICONS[record.kind];
  return {
    value: recordValue(record),
    icon: <Icon aria-hidden />,
    label: <bdi title={visible(record.id)}>{visible(record.label)}</bdi>,
    beside: `${record.kind === "run" ? "automation run" : record.kind}, ${record.state.replaceAll("_", " ")}`,
    run,
  };
}

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

const OTHER_WORDS: Record<string, string[] | undefined> = {
  "/settings/alerts": ["notifications", "channels", "email", "Slack", "PagerDuty"],
  "/event-types": ["schema", "fields", "drift", "TypeScript"],
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
  { label: "Documentation", href: "/docs", also: ["help", "manual", "runbook"] },
  { label: "Configuration", href: "/docs/configuration", also: ["settings of the environment", "environment variables"] },
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
  { label: "Show yesterday's failures", href: "/events", runs: "Yesterday's failures", also: ["what failed", "errors of yesterday"] },
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

const pagesFor = (rights: Rights): Place[] => allowed(PAGES, rights);

const actionsFor = (rights: Rights): Place[] => allowed(ACTIONS, rights);
