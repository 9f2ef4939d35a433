import { CircleDot, FileText, type LucideIcon, Plug, Workflow, Zap } from "lucide-react";
import type { ViewKind } from "#lib/contracts/views";

type KindWords = {
  one: string;
  many: string;
  title: string;
  /** What the page is for, in a line. */
  about: string;
  icon: LucideIcon;
  /** The states that its events can bring it into, for the filter; none where there is but one. */
  states: readonly string[];
  /** Which event brings the first one. */
  firstBy: string;
};

export const KIND_WORDS: Record<ViewKind, KindWords> = {
  document: {
    one: "document",
    many: "documents",
    title: "Documents",
    about: "Each document that an event has spoken of, as the events so far make it.",
    icon: FileText,
    states: ["uploaded", "processed", "error", "deleted", "unknown"],
    firstBy: "document.uploaded",
  },
  task: {
    one: "task",
    many: "tasks",
    title: "Tasks",
    about: "Each task that an event has spoken of: who has it, what it was classified as and where it stands.",
    icon: CircleDot,
    states: ["open", "assigned", "completed", "unknown"],
    firstBy: "task.created",
  },
  pipeline: {
    one: "pipeline",
    many: "pipelines",
    title: "Pipelines",
    about: "Pipelines as the tasks' events draw them. Open one to see its board.",
    icon: Workflow,
    states: [],
    firstBy: "task.created or pipeline.stage_changed",
  },
  automation: {
    one: "automation",
    many: "automations",
    title: "Automations",
    about: "Each automation with the state of its last run. Open one to see its runs.",
    icon: Zap,
    states: ["running", "completed", "error", "unknown"],
    firstBy: "automation.triggered",
  },
  run: {
    one: "automation run",
    many: "runs",
    title: "Runs",
    about: "Single runs of automations.",
    icon: Zap,
    states: ["running", "completed", "error", "unknown"],
    firstBy: "automation.triggered",
  },
  integration: {
    one: "integration",
    many: "integrations",
    title: "Integrations",
    about: "The accounts that the platform itself is connected to, as its events report them.",
    icon: Plug,
    states: ["connected", "error", "disconnected", "unknown"],
    firstBy: "integration.connected",
  },
};

/** The page of one view. */
export const viewHref = (kind: ViewKind, id: string): string => `/${kind}s/${encodeURIComponent(id)}`;

/** The events that speak of one view. */
export const eventsHref = (kind: ViewKind, id: string): string => `/events?resource=${encodeURIComponent(`${kind}:${id}`)}`;

/** Whether a word from an event is a kind that has pages. */
export const isViewKind = (kind: string): kind is ViewKind => Object.hasOwn(KIND_WORDS, kind);

/** A state as the badge says it: `stage_two` -> "Stage two". */
export function stateWord(state: string): string {
  const word = state.replaceAll("_", " ");
  return word.charAt(0).toUpperCase() + word.slice(1);
}
