"use client";

import { useState } from "react";
import { useLive } from "#components/shell/live/live-provider";
import { toast } from "#components/ui/feedback/toast";
import { lazyComponent } from "#components/ui/lists/lazy-component";
import { type Command, useCommands } from "./commands.tsx";
import { useGoToCommands } from "./go-to-commands.tsx";
import { useRowCommands } from "./row-commands.tsx";

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
