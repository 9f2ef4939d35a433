"use client";

import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from "react";
import { Store, useStore } from "#components/shell/live/store";
import { isTyping } from "#lib/client/typing";

/** Action of this page: listed by the palette, run by its key, shown in the keyboard help. */
export type Command = {
  label: string;
  /** One key; two, pressed in sequence ("g e"); or, without `run`, keys that a component handles itself. */
  keys?: string;
  /** Only a key: the palette leaves it out, and another command with the same key wins. */
  quiet?: boolean;
  /** Works on every page: the palette lists it after the page's own. */
  everywhere?: boolean;
  run?: () => void;
};

const Commands = createContext(new Store<Command[][]>([]));

/** Time for which a first key waits for the second. Milliseconds. */
const SECOND_KEY_MS = 1500;

export function CommandsProvider({ children }: { children: ReactNode }) {
  const [groups] = useState(() => new Store<Command[][]>([]));
  useEffect(() => {
    let before = { key: "", until: 0 };
    function onKey(event: KeyboardEvent) {
      if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || isTyping(event.target)) return;
      const runnable = inOrder(groups.get()).filter(({ run }) => run);
      // By the time of the event: a busy page handles keys late.
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

/** The innermost component registers last: its commands are listed first and win a shared key. Quiet ones come after all others. */
function inOrder(groups: Command[][]): Command[] {
  const all = groups.toReversed().flat();
  return [...all.filter(({ quiet }) => !quiet), ...all.filter(({ quiet }) => quiet)];
}

export const useCommandList = (): Command[] => inOrder(useStore(useContext(Commands)));

let onArrival: { label: string; until: number } | null = null;

/** A page that no longer offers the command must not run it at a later visit. Milliseconds. */
const ARRIVAL_MS = 30_000;

/** Runs a command of the page that is opened next, as soon as the page registers it. Null cancels that. */
export function runOnArrival(label: string | null): void {
  onArrival = label === null ? null : { label, until: performance.now() + ARRIVAL_MS };
}

function arrive(group: Command[]): void {
  const due = onArrival && onArrival.until > performance.now() ? group.find(({ label }) => label === onArrival?.label) : undefined;
  if (!due?.run) return;
  onArrival = null;
  due.run();
}

export function useCommands(commands: Command[]): void {
  const groups = useContext(Commands);
  const latest = useRef(commands);
  useEffect(() => {
    latest.current = commands;
  });
  // Closures change on every render; labels and keys rarely do.
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

export type TypedAhead = { text: string; entered: boolean };

/** Buffers keys from `listen` to `take`, while the code of a window with a field loads: users who know the shortcut type at once. */
export function useKeystrokeBuffer() {
  const [ahead] = useState(typedAhead);
  useEffect(() => () => void ahead.take(), [ahead]);
  return ahead;
}

function typedAhead() {
  let typed: TypedAhead = { text: "", entered: false };
  function onKey(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter") typed.entered = true;
    else if (event.key === "Backspace") typed.text = typed.text.slice(0, -1);
    else if (event.key.length === 1) typed.text += event.key;
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }
  return {
    listen() {
      typed = { text: "", entered: false };
      document.addEventListener("keydown", onKey, true);
    },
    take(): TypedAhead {
      document.removeEventListener("keydown", onKey, true);
      return typed;
    },
  };
}
