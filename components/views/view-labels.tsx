import { CircleDot, FileText, type LucideIcon, Plug, Shapes, Workflow, Zap } from "lucide-react";
import type { ViewKind } from "#lib/contracts/views";

type KindWords = {
  one: string;
  many: string;
  title: string;
  about: string;
  icon: LucideIcon;
  /** States that its events can set, for the filter; empty if there is only one. */
  states: readonly string[];
  /** The platform's events that create the first one. Another sender's events create none. */
  firstBy: string | null;
};

export const KIND_WORDS: Record<ViewKind, KindWords> = {
  document: {
    one: "document",
    many: "documents",
    title: "Documents",
    about: "Documents built from your events.",
    icon: FileText,
    states: ["uploaded", "processed", "error", "deleted", "unknown"],
    firstBy: "document.uploaded",
  },
  task: {
    one: "task",
    many: "tasks",
    title: "Tasks",
    about: "Tasks built from your events, with assignee, classification and stage.",
    icon: CircleDot,
    states: ["open", "assigned", "completed", "unknown"],
    firstBy: "task.created",
  },
  pipeline: {
    one: "pipeline",
    many: "pipelines",
    title: "Pipelines",
    about: "Pipelines built from task events. Open one to see its board.",
    icon: Workflow,
    states: [],
    firstBy: "task.created or pipeline.stage_changed",
  },
  automation: {
    one: "automation",
    many: "automations",
    title: "Automations",
    about: "Automations with the state of their latest run. Open one to see its runs.",
    icon: Zap,
    states: ["running", "completed", "error", "unknown"],
    firstBy: "automation.triggered",
  },
  run: {
    one: "automation run",
    many: "runs",
    title: "Runs",
    about: "Runs of your automations.",
    icon: Zap,
    states: ["running", "completed", "error", "unknown"],
    firstBy: "automation.triggered",
  },
  integration: {
    one: "integration",
    many: "integrations",
    title: "Integrations",
    about: "Accounts that the platform itself is connected to, as reported by its events.",
    icon: Plug,
    states: ["connected", "error", "disconnected", "unknown"],
    firstBy: "integration.connected",
  },
  record: {
    one: "record",
    many: "records",
    title: "Other records",
    about: "Records built from the events of other senders, as each source's settings describe them.",
    icon: Shapes,
    states: [],
    firstBy: null,
  },
};

export const viewHref = (kind: ViewKind, id: string): string => `/${kind}s/${encodeURIComponent(id)}`;

export const eventsHref = (kind: ViewKind, id: string): string => `/events?resource=${encodeURIComponent(`${kind}:${id}`)}`;

/** True if the kind has pages. */
export const isViewKind = (kind: string): kind is ViewKind => Object.hasOwn(KIND_WORDS, kind);

/** Formats a state for the badge: `stage_two` -> "Stage two". */
export function stateWord(state: string): string {
  const word = state.replaceAll("_", " ");
  return word.charAt(0).toUpperCase() + word.slice(1);
}
