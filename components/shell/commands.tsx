"use client";

import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from "react";
import { Store, useStore } from "#components/shell/store";
import { isTyping } from "#lib/client/typing";

/** Something that can be done on this page: the palette lists it, its key does it, the help tells of it. */
export type Command = {
  label: string;
  /** One key, or several words for keys that a part of the page handles by itself: "j k". */
  keys?: string;
  /** Absent where the part of the page that has the focus does it by itself. */
  run?: () => void;
};

const Commands = createContext(new Store<Command[][]>([]));

/** Holds what can be done on the page that is shown, and does it at the press of its key. */
export function CommandsProvider({ children }: { children: ReactNode }) {
  const [groups] = useState(() => new Store<Command[][]>([]));
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || isTyping(event.target)) return;
      const command = inOrder(groups.get()).find(({ keys, run }) => keys === event.key && run);
      if (!command?.run) return;
      event.preventDefault();
      command.run();
    }
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [groups]);
  return <Commands value={groups}>{children}</Commands>;
}

/** The innermost part of the page was added last: it comes first, and its meaning of a key wins. */
const inOrder = (groups: Command[][]): Command[] => groups.toReversed().flat();

/** What can be done now, the page's own first. */
export const useCommandList = (): Command[] => inOrder(useStore(useContext(Commands)));

/** Offers commands for as long as the component is shown. */
export function useCommands(commands: Command[]): void {
  const groups = useContext(Commands);
  const latest = useRef(commands);
  useEffect(() => {
    latest.current = commands;
  });
  // Closures change with every render; what is told of them seldom does.
  const told = JSON.stringify(commands.map(({ label, keys = null, run }) => [label, keys, run !== undefined]));
  useEffect(() => {
    const entries = JSON.parse(told) as [label: string, keys: string | null, runs: boolean][];
    const group = entries.map(([label, keys, runs], index) => ({
      label,
      ...(keys !== null && { keys }),
      ...(runs && { run: () => latest.current[index]?.run?.() }),
    }));
    groups.set([...groups.get(), group]);
    return () => groups.set(groups.get().filter((one) => one !== group));
  }, [told, groups]);
}
