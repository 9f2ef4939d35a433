import {
  Bell,
  Braces,
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
  Send,
  Settings,
  Shapes,
  ShieldX,
  Workflow,
} from "lucide-react";
import type { Counts } from "#lib/contracts/overview";

export type NavItem = {
  href: string;
  label: string;
  icon: LucideIcon;
  /** Opens the page after `g`. */
  letter: string;
  /** Number next to the label; hidden if 0. */
  count?: (counts: Counts) => number;
  /** The number needs someone to act. */
  urgent?: boolean;
  /** Name of the counted items, for screen readers. */
  counts?: string;
};

const WATCH: NavItem[] = [
  { href: "/", label: "Overview", icon: LayoutDashboard, letter: "o" },
  { href: "/events", label: "Events", icon: ScrollText, letter: "e", count: ({ pending }) => pending, counts: "waiting" },
  {
    href: "/issues",
    label: "Issues",
    icon: CircleAlert,
    letter: "i",
    count: ({ openIssues }) => openIssues,
    urgent: true,
    counts: "open",
  },
  {
    href: "/missing-events",
    label: "Missing events",
    icon: SearchX,
    letter: "m",
    count: ({ missingEvents }) => missingEvents,
    counts: "open",
  },
  {
    href: "/quarantine",
    label: "Quarantine",
    icon: ShieldX,
    letter: "q",
    count: ({ quarantined }) => quarantined,
    counts: "in quarantine",
  },
  {
    href: "/connections",
    label: "Connections",
    icon: Link2,
    letter: "c",
    count: ({ needReconnect }) => needReconnect,
    urgent: true,
    counts: "need reconnecting",
  },
  {
    href: "/destinations",
    label: "Destinations",
    icon: Send,
    letter: "f",
    count: ({ suspendedDestinations }) => suspendedDestinations,
    urgent: true,
    counts: "suspended",
  },
  { href: "/settings/alerts", label: "Alerts", icon: Bell, letter: "l" },
];

const RECORDS: NavItem[] = [
  { href: "/documents", label: "Documents", icon: FileText, letter: "d" },
  { href: "/tasks", label: "Tasks", icon: ListChecks, letter: "t" },
  { href: "/pipelines", label: "Pipelines", icon: Kanban, letter: "p" },
  { href: "/automations", label: "Automations", icon: Workflow, letter: "a" },
  { href: "/integrations", label: "Integrations", icon: Plug, letter: "n" },
  { href: "/records", label: "Other records", icon: Shapes, letter: "r" },
  { href: "/event-types", label: "Event types", icon: Braces, letter: "y" },
];

const SETTINGS: NavItem = { href: "/settings", label: "Settings", icon: Settings, letter: "s" };
const SANDBOX: NavItem = { href: "/sandbox", label: "Sandbox", icon: FlaskConical, letter: "b" };

export function navGroups(sandbox: boolean): { label: string | null; items: NavItem[] }[] {
  return [
    { label: null, items: WATCH },
    { label: "Records", items: RECORDS },
    { label: "Workspace", items: sandbox ? [SETTINGS, SANDBOX] : [SETTINGS] },
  ];
}

/** Returns the sum of the urgent counts. */
export const waitingFor = (counts: Counts): number =>
  WATCH.reduce((sum, { urgent, count }) => sum + (urgent && count ? count(counts) : 0), 0);

const IN_BOTTOM_BAR = ["/", "/events", "/issues", "/connections"];
export const BOTTOM_ITEMS = WATCH.filter(({ href }) => IN_BOTTOM_BAR.includes(href)).map((item) => ({ ...item }));

const UNDER: Record<string, string> = {
  "/automations": "/runs/",
  "/events": "/redeliveries",
  "/settings": "/api-reference",
  "/destinations": "/deliveries",
};

export function isCurrent(href: string, path: string): boolean {
  const also = UNDER[href];
  if (also && path.startsWith(also)) return true;
  if (href === "/settings" && path.startsWith("/settings/alerts")) return false;
  return href === "/" ? path === "/" : path === href || path.startsWith(`${href}/`);
}
