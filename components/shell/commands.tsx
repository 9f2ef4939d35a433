"use client";

import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from "react";
import { isTyping } from "#lib/client/typing";

/** Something that can be done on this page: the palette lists it, its key does it, the help tells of it. */
export type Command = {
  label: string;
  /** One key, or several words for keys that a part of the page handles by itself: "j k". */
  keys?: string;
  /** Absent where the part of the page that has the focus does it by itself. */
  run?: () => void;
};

type Add = (commands: Command[]) => () => void;

const ListContext = createContext<Command[]>([]);
const AddContext = createContext<Add>(() => () => undefined);

/** Holds what can be done on the page that is shown, and does it at the press of its key. */
export function CommandsProvider({ children }: { children: ReactNode }) {
  const [groups, setGroups] = useState<Command[][]>([]);
  // The innermost part of the page was added last: it comes first, and its meaning of a key wins.
  const commands = useMemo(() => groups.toReversed().flat(), [groups]);
  const add = useCallback<Add>((group) => {
    setGroups((old) => [...old, group]);
    return () => setGroups((old) => old.filter((one) => one !== group));
  }, []);
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || isTyping(event.target)) return;
      const command = commands.find(({ keys, run }) => keys === event.key && run);
      if (!command?.run) return;
      event.preventDefault();
      command.run();
    }
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [commands]);
  return (
    <AddContext value={add}>
      <ListContext value={commands}>{children}</ListContext>
    </AddContext>
  );
}

/** What can be done now, the page's own first. */
export const useCommandList = (): Command[] => useContext(ListContext);

/** Offers commands for as long as the component is shown. */
export function useCommands(commands: Command[]): void {
  const add = useContext(AddContext);
  const latest = useRef(commands);
  useEffect(() => {
    latest.current = commands;
  });
  // Closures change with every render; what is told of them seldom does.
  const told = JSON.stringify(commands.map(({ label, keys = null, run }) => [label, keys, run !== undefined]));
  useEffect(() => {
    const entries = JSON.parse(told) as [label: string, keys: string | null, runs: boolean][];
    return add(
      entries.map(([label, keys, runs], index) => ({
        label,
        ...(keys !== null && { keys }),
        ...(runs && { run: () => latest.current[index]?.run?.() }),
      })),
    );
  }, [told, add]);
}
