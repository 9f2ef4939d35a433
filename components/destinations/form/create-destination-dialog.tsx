"use client";

import { Plus } from "lucide-react";
import { overlay } from "#components/ui/overlay/overlay";
import { Button } from "#components/ui/primitives/button";

type Options = { types: string[]; sources: string[] };

const Window = overlay<Options>("dialog", () => import("./create-destination-window.tsx").then((module) => module.CreateDestinationWindow));

/** The button that adds a destination. The window's form is not part of the page's first load. */
export function CreateDestinationDialog(options: Options) {
  return (
    <Window
      {...options}
      trigger={
        <Button variant="primary" icon={<Plus aria-hidden />}>
          Create destination
        </Button>
      }
    />
  );
}
