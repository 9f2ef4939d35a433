import {
  CircleAlert,
  FileText,
  FlaskConical,
  Kanban,
  LayoutDashboard,
  Link2,
  ListChecks,
  type LucideIcon,
  Plug,
  ScrollText,
  SearchX,
  Settings,
  ShieldX,
  Workflow,
} from "lucide-react";
import type { Counts } from "#lib/contracts/overview";

export type NavItem = {
  href: string;
  label: string;
  icon: LucideIcon;
  /** The number beside it, from the counts; shown when it is not zero. */
  count?: (counts: Counts) => number;
  /** The number is a call to act. */
  urgent?: boolean;
  /** What the number counts, for screen readers. */
  counts?: string;
};

const WATCH: NavItem[] = [
  { href: "/", label: "Overview", icon: LayoutDashboard },
  { href: "/events", label: "Events", icon: ScrollText, count: ({ pending }) => pending, counts: "waiting" },
  {
    href: "/failures",
    label: "Failures",
    icon: CircleAlert,
    count: ({ openIssues }) => openIssues,
    urgent: true,
    counts: "open",
  },
  { href: "/findings", label: "Missing", icon: SearchX, count: ({ findings }) => findings, counts: "suspected" },
  { href: "/refused", label: "Refused", icon: ShieldX, count: ({ refusedToday }) => refusedToday, counts: "in the last 24 hours" },
  {
    href: "/connections",
    label: "Connections",
    icon: Link2,
    count: ({ needReconnect }) => needReconnect,
    urgent: true,
    counts: "need reconnecting",
  },
];

const VIEWS: NavItem[] = [
  { href: "/documents", label: "Documents", icon: FileText },
  { href: "/tasks", label: "Tasks", icon: ListChecks },
  { href: "/pipelines", label: "Pipelines", icon: Kanban },
  { href: "/automations", label: "Automations", icon: Workflow },
  { href: "/integrations", label: "Integrations", icon: Plug },
];

/** Parts of the settings that everybody may open, for the palette. */
export const SETTINGS_PAGES: NavItem[] = [
  { href: "/settings/members", label: "Members", icon: Settings },
  { href: "/settings/roles", label: "Roles", icon: Settings },
  { href: "/settings/sources", label: "Sources and secrets", icon: Settings },
  { href: "/settings/retention", label: "Retention", icon: Settings },
];

const SETTINGS: NavItem = { href: "/settings", label: "Settings", icon: Settings };
const SANDBOX: NavItem = { href: "/sandbox", label: "Sandbox", icon: FlaskConical };

/** The rail's groups, top to bottom. */
export function navGroups(sandbox: boolean): { label: string | null; items: NavItem[] }[] {
  return [
    { label: null, items: WATCH },
    { label: "Views", items: VIEWS },
    { label: "Workspace", items: sandbox ? [SETTINGS, SANDBOX] : [SETTINGS] },
  ];
}

/** The four pages of a phone's bottom bar; the fifth place opens the rest. */
export const BOTTOM_ITEMS = WATCH.filter(({ href }) => href !== "/refused" && href !== "/findings").map((item) => ({ ...item }));

/** Pages that stand under another item's name. */
const UNDER: Record<string, string> = { "/automations": "/runs/", "/events": "/redeliveries", "/settings": "/api-reference" };

/** True on the item's page and on the pages below it. */
export function isCurrent(href: string, path: string): boolean {
  const also = UNDER[href];
  if (also && path.startsWith(also)) return true;
  return href === "/" ? path === "/" : path === href || path.startsWith(`${href}/`);
}
