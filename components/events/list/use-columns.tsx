import { useSyncExternalStore } from "react";

export const COLUMNS = { subject: "Subject", source: "Source", occurred: "Occurred", received: "Received", size: "Size" } as const;
export type ColumnName = keyof typeof COLUMNS;

/** Most fields that the API reads at once. */
export const MAX_FIELDS = 4;

const HIDDEN_KEY = "signalbox.events.hidden-columns";
/** Payload fields differ by workspace: one that this workspace's events don't have stays empty. */
const FIELDS_KEY = "signalbox.events.payload-columns";
const NONE = "";
const listeners = new Set<() => void>();

const read = (key: string) => (): string => {
  try {
    return localStorage.getItem(key) ?? NONE;
  } catch {
    return NONE; // a browser that keeps nothing shows the usual columns
  }
};

function write(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    return;
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  window.addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", listener);
  };
}

const useKept = (key: string) => useSyncExternalStore(subscribe, read(key), () => NONE);

export function useColumns() {
  const hidden = useKept(HIDDEN_KEY)
    .split(",")
    .filter((name): name is ColumnName => Object.hasOwn(COLUMNS, name));
  // A path has no space.
  const fields = useKept(FIELDS_KEY).split(" ").filter(Boolean).slice(0, MAX_FIELDS);
  const without = <T,>(all: T[], one: T, kept: boolean): T[] => [...all.filter((each) => each !== one), ...(kept ? [one] : [])];
  return {
    hidden,
    fields,
    toggle: (name: ColumnName, shown: boolean) => write(HIDDEN_KEY, without(hidden, name, !shown).join()),
    toggleField: (path: string, shown: boolean) => write(FIELDS_KEY, without(fields, path, shown).join(" ")),
  };
}

/** Attributes of the element around the table, which the classes in `HIDDEN` match. */
export const columnMarks = (hidden: readonly ColumnName[]) => Object.fromEntries(hidden.map((name) => [`data-without-${name}`, ""]));

export const FIELD_COLUMN = "@max-[860px]:hidden";

/** Class of each column's cells. Written out in full, for Tailwind to find. */
export const HIDDEN: Record<ColumnName, string> = {
  subject: "in-data-without-subject:hidden",
  source: "in-data-without-source:hidden",
  occurred: "in-data-without-occurred:hidden",
  received: "in-data-without-received:hidden",
  size: "in-data-without-size:hidden",
};
