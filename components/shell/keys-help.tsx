"use client";

import { useState } from "react";
import { type Command, useCommands } from "#components/shell/commands";
import { useLive } from "#components/shell/live-provider";
import { later } from "#components/ui/later";
import { toast } from "#components/ui/toast";

const KeysSheet = later(() => import("#components/shell/keys-sheet").then((module) => module.KeysSheet));

/** The keys that work on every page, and the sheet that tells of all of them. */
export function KeysHelp() {
  const [open, setOpen] = useState(false);
  const { paused, setPaused } = useLive();
  const everywhere: Command[] = [
    { label: "Keyboard shortcuts", keys: "?", run: () => setOpen(true) },
    { label: "Go to the search", keys: "/", run: focusSearch },
    { label: paused ? "Resume the live feed" : "Pause the live feed", keys: "l", run: () => pause(!paused) },
  ];
  function pause(next: boolean) {
    setPaused(next);
    toast.info(next ? "The live feed is paused" : "The live feed goes on", {
      description: next ? "Pages stay as they are." : "What was missed follows.",
    });
  }
  useCommands(everywhere);
  return open ? <KeysSheet everywhere={everywhere} open onOpenChange={setOpen} /> : null;
}

/** The page's own search; where it has none, the palette. */
function focusSearch() {
  const field = document.querySelector<HTMLInputElement>("search input, [role=search] input, input[type=search]");
  if (field) {
    field.focus();
    field.select();
  } else document.getElementById("palette")?.click();
}
