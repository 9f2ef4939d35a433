"use client";

import { useEffect, useState } from "react";
import { useOpenPage } from "#components/shell/live/connection";
import { useLive } from "#components/shell/live/live-provider";
import { navGroups } from "#components/shell/navigation/navigation";
import { lazyComponent } from "#components/ui/feedback/lazy-component";
import { toast } from "#components/ui/feedback/toast";
import { type Command, useCommands } from "./commands.tsx";

const KeysSheet = lazyComponent(() => import("./keys-sheet.tsx").then((module) => module.KeysSheet));

export function KeysHelp({ sandbox }: { sandbox: boolean }) {
  const [open, setOpen] = useState(false);
  const { paused, setPaused } = useLive();
  const everywhere: Command[] = [
    { label: "Keyboard shortcuts", keys: "?", run: () => setOpen(true) },
    { label: "Focus search", keys: "/", run: focusSearch },
    { label: paused ? "Resume live feed" : "Pause live feed", keys: "l", run: () => pause(!paused) },
  ].map((command) => ({ ...command, everywhere: true }));
  function pause(next: boolean) {
    setPaused(next);
    toast.info(next ? "Live feed paused" : "Live feed resumed", {
      description: next ? "Pages won't update until you resume." : "Loading new events.",
    });
  }
  const rows = useRowCommands();
  const goTo = useGoToCommands(sandbox);
  useCommands([...everywhere, ...rows, ...goTo]);
  return open ? <KeysSheet everywhere={everywhere} rows={rows} goTo={goTo} open onOpenChange={setOpen} /> : null;
}

/** Focuses the page's search, or opens the palette if there is none. */
function focusSearch() {
  const field = document.querySelector<HTMLInputElement>("search input, [role=search] input, input[type=search]");
  if (field) {
    field.focus();
    field.select();
  } else document.getElementById("palette")?.click();
}

/** Not in the first load. */
const moves = () => import("./row-moves.ts");

function useRowCommands(): Command[] {
  useEffect(() => {
    const ended = new AbortController();
    moves().then(
      ({ remember }) => document.addEventListener("focusin", remember, { signal: ended.signal }),
      () => undefined,
    );
    return () => ended.abort();
  }, []);
  return COMMANDS;
}

const COMMANDS = (
  [
    ["Next row", "j", "next"],
    ["Previous row", "k", "previous"],
    ["Open row", "o", "open"],
    ["Select row", "x", "select"],
    ["Re-deliver row or selection", "r", "redeliver"],
    ["Resolve or dismiss row", "e", "end"],
  ] as const
).map(([label, keys, name]): Command => ({ label, keys, quiet: true, run: async () => (await moves())[name]() }));

function useGoToCommands(sandbox: boolean): Command[] {
  const open = useOpenPage();
  return navGroups(sandbox)
    .flatMap(({ items }) => items)
    .map(({ href, label, letter }) => ({ label: `Go to ${label}`, keys: `g ${letter}`, quiet: true, run: () => open(href) }));
}
