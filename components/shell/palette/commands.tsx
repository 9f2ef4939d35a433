"use client";

import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from "react";
import { Store, useStore } from "#components/shell/live/store";
import { isTyping } from "#lib/client/typing";

/** An action of this page: the palette lists it, its key runs it, the keyboard help shows it. */
export type Command = {
  label: string;
  /** One key; two, pressed one after the other ("g e"); or, without `run`, keys that a component handles itself. */
  keys?: string;
  /** A key alone: the palette leaves it out, and another command with the same key comes first. */
  quiet?: boolean;
  /** Works on every page: the palette lists it behind what the page itself can do. */
  everywhere?: boolean;
  /** Absent where the focused component handles the key itself. */
  run?: () => void;
};

const Commands = createContext(new Store<Command[][]>([]));

/** Time for which a first key waits for the second. Milliseconds. */
const SECOND_KEY_MS = 1500;

/** Holds the actions of the current page and runs them when their key is pressed. */
export function CommandsProvider({ children }: { children: ReactNode }) {
  const [groups] = useState(() => new Store<Command[][]>([]));
  useEffect(() => {
    let before = { key: "", until: 0 };
    function onKey(event: KeyboardEvent) {
      if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || isTyping(event.target)) return;
      const runnable = inOrder(groups.get()).filter(({ run }) => run);
      // By when the keys were pressed: a busy page gets them late.
      const pressed = event.timeStamp < before.until ? `${before.key} ${event.key}` : event.key;
      before = { key: "", until: 0 };
      if (runnable.some(({ keys }) => keys?.startsWith(`${pressed} `))) {
        before = { key: pressed, until: event.timeStamp + SECOND_KEY_MS };
        return;
      }
      const command = runnable.find(({ keys }) => keys === pressed);
      if (!command?.run) return;
      event.preventDefault();
      command.run();
    }
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [groups]);
  return <Commands value={groups}>{children}</Commands>;
}

/** The innermost component registers last: its commands are listed first, and win a shared key. Quiet ones come after all others. */
function inOrder(groups: Command[][]): Command[] {
  const all = groups.toReversed().flat();
  return [...all.filter(({ quiet }) => !quiet), ...all.filter(({ quiet }) => quiet)];
}

/** The actions available now, the page's own first. */
export const useCommandList = (): Command[] => inOrder(useStore(useContext(Commands)));

/** The command that the next page runs as soon as it registers it. */
let onArrival: { label: string; until: number } | null = null;

/** A page that offers it no more must not run it at a later visit. Milliseconds. */
const ARRIVAL_MS = 30_000;

/** Runs a command of the page that is opened next: the palette offers it on every page. Null takes that back. */
export function runOnArrival(label: string | null): void {
  onArrival = label === null ? null : { label, until: performance.now() + ARRIVAL_MS };
}

function arrive(group: Command[]): void {
  const due = onArrival && onArrival.until > performance.now() ? group.find(({ label }) => label === onArrival?.label) : undefined;
  if (!due?.run) return;
  onArrival = null;
  due.run();
}

/** Registers commands while the component is mounted. */
export function useCommands(commands: Command[]): void {
  const groups = useContext(Commands);
  const latest = useRef(commands);
  useEffect(() => {
    latest.current = commands;
  });
  // Closures change on every render; their labels and keys rarely do.
  const description = JSON.stringify(
    commands.map(({ label, keys = null, run, quiet = false, everywhere = false }) => [label, keys, run !== undefined, quiet, everywhere]),
  );
  useEffect(() => {
    const entries = JSON.parse(description) as [label: string, keys: string | null, runs: boolean, quiet: boolean, everywhere: boolean][];
    const group = entries.map(([label, keys, runs, quiet, everywhere], index) => ({
      label,
      ...(everywhere && { everywhere }),
      ...(quiet && { quiet }),
      ...(keys !== null && { keys }),
      ...(runs && { run: () => latest.current[index]?.run?.() }),
    }));
    groups.set([...groups.get(), group]);
    arrive(group);
    return () => groups.set(groups.get().filter((one) => one !== group));
  }, [description, groups]);
}
