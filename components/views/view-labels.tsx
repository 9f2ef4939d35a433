import { CircleDot, FileText, type LucideIcon, Plug, Shapes, Workflow, Zap } from "lucide-react";
import { visible } from "#lib/contracts/api/plain-text";
import { writeJson } from "#lib/contracts/exact-json";
import { doubleOf, idText } from "#lib/contracts/exact-numbers";
import type { ViewKind, ViewRecord } from "#lib/contracts/views";

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
  const word = visible(state).replaceAll("_", " ");
  return word.charAt(0).toUpperCase() + word.slice(1);
}

const TEXT_SHOWN = 200;
const UNITS = ["bytes", "kB", "MB", "GB", "TB"] as const;

/** Returns a value as one line to read: an object as JSON, a long text shortened; null for an empty value. */
export function lineOf(value: unknown): string | null {
  if (value === undefined || value === null || value === "") return null;
  const text = typeof value === "string" ? value : (writeJson(value) ?? String(value));
  return visible(text.length > TEXT_SHOWN ? `${text.slice(0, TEXT_SHOWN)}…` : text);
}

export const fieldLine = (record: ViewRecord, field: string): string | null => lineOf(record.fields[field]?.value);

/** Returns the whole ID of another record; null if no event has set the field. */
export const fieldId = (record: ViewRecord, field: string): string | null => idText(record.fields[field]?.value) ?? null;

export const fieldTime = (record: ViewRecord, field: string): string | null => timeOf(record.fields[field]?.value);

/** Reads ISO 8601, Unix seconds or Unix milliseconds as ISO 8601 (assumed: the platform documents no times of its data); else null. */
export function timeOf(value: unknown): string | null {
  const number = doubleOf(value) ?? 0;
  const ms =
    typeof value === "string" && /^\d{4}-\d\d-\d\d/.test(value)
      ? Date.parse(value)
      : number > 1e9
        ? number < 1e11
          ? number * 1000
          : number
        : Number.NaN;
  return Number.isNaN(ms) || Math.abs(ms) > 8.64e15 ? null : new Date(ms).toISOString();
}

/** Formats a share of 0 to 1, or a percentage, as `97%`; another value as it is. */
export function shareWords(value: unknown): string | null {
  const share = doubleOf(value);
  if (share === undefined || share < 0 || share > 100) return lineOf(value);
  return `${Math.round(share <= 1 ? share * 100 : share)}%`;
}

/** Formats bytes as `1.2 MB`; another value as it is. */
export function sizeWords(value: unknown): string | null {
  let size = doubleOf(value) ?? Number.NaN;
  if (!(size >= 0 && size < Number.POSITIVE_INFINITY)) return lineOf(value);
  let unit = 0;
  while (size >= 1000 && unit < UNITS.length - 1) {
    size /= 1000;
    unit += 1;
  }
  return `${unit === 0 || size >= 100 ? Math.round(size) : size.toFixed(1)} ${UNITS[unit]}`;
}

/** Returns a run's duration in milliseconds: the platform's value, else from start to end; null while it runs. */
export function runDuration(run: ViewRecord): number | null {
  const reported = doubleOf(run.fields.durationMs?.value);
  if (reported !== undefined && reported >= 0) return reported;
  const [start, end] = [fieldTime(run, "startedAt"), fieldTime(run, "endedAt")];
  return start && end && end >= start ? Date.parse(end) - Date.parse(start) : null;
}
