"use client";

import { Plus } from "lucide-react";
import { useState } from "react";
import { useCommands } from "#components/shell/palette/commands";
import { overlay } from "#components/ui/overlay/overlay";
import { Button } from "#components/ui/primitives/button";

type Options = { types: string[]; sources: string[] };

const Window = overlay<Options>("dialog", () => import("./create-destination-window.tsx").then((module) => module.CreateDestinationWindow));

/** Loads the form with the window, to keep it out of the page's first load. */
export function CreateDestinationDialog(options: Options) {
  const [open, setOpen] = useState(false);
  useCommands([{ label: "Create destination", run: () => setOpen(true) }]);
  return (
    <Window
      {...options}
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button variant="primary" icon={<Plus aria-hidden />}>
          Create destination
        </Button>
      }
    />
  );
}
