import { CircleDot, FileText, type LucideIcon, Plug, Shapes, Workflow, Zap } from "lucide-react";
import type { ViewKind } from "#lib/contracts/views";

type KindWords = {
  one: string;
  many: string;
  title: string;
  /** The page's description. */
  about: string;
  icon: LucideIcon;
  /** The states that its events can set, for the filter; empty where there is only one. */
  states: readonly string[];
  /** The events of the platform that create the first one; none creates a record of another sender. */
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

/** The page of one record. */
export const viewHref = (kind: ViewKind, id: string): string => `/${kind}s/${encodeURIComponent(id)}`;

/** The events of one record. */
export const eventsHref = (kind: ViewKind, id: string): string => `/events?resource=${encodeURIComponent(`${kind}:${id}`)}`;

/** True if a kind named in an event has pages. */
export const isViewKind = (kind: string): kind is ViewKind => Object.hasOwn(KIND_WORDS, kind);

/** A state as the badge shows it: `stage_two` -> "Stage two". */
export function stateWord(state: string): string {
  const word = state.replaceAll("_", " ");
  return word.charAt(0).toUpperCase() + word.slice(1);
}
