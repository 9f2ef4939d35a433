"use client";

import { Columns3 } from "lucide-react";
import { lazyComponent } from "#components/ui/lists/lazy-component";
import { Popover } from "#components/ui/overlay/popover";
import { Button } from "#components/ui/primitives/button";

const ColumnsForm = lazyComponent(() => import("./columns-form.tsx").then((module) => module.ColumnsForm));

export function ColumnsMenu() {
  const trigger = (
    <Button className="font-normal max-rail:hidden" icon={<Columns3 aria-hidden />}>
      Columns
    </Button>
  );
  return (
    <Popover label="Columns" trigger={trigger} align="end">
      <ColumnsForm />
    </Popover>
  );
}
