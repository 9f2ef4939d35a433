"use client";

import { Columns3 } from "lucide-react";
import { Popover } from "#components/ui/overlay/popover";
import { Button } from "#components/ui/primitives/button";
import { Checkbox } from "#components/ui/primitives/checkbox";
import { COLUMNS, type ColumnName, useColumns } from "./use-columns.tsx";

const NAMES = Object.keys(COLUMNS) as ColumnName[];

/** Shows which columns the list shows, in this browser. */
export function ColumnsMenu() {
  const { hidden, toggle } = useColumns();
  const trigger = (
    <Button className="font-normal max-rail:hidden" icon={<Columns3 aria-hidden />}>
      Columns
    </Button>
  );
  return (
    <Popover label="Columns" trigger={trigger} align="end">
      <div className="flex flex-col gap-2 p-1">
        {NAMES.map((name) => (
          <Checkbox key={name} checked={!hidden.includes(name)} onCheckedChange={(shown) => toggle(name, shown)}>
            {COLUMNS[name]}
          </Checkbox>
        ))}
      </div>
    </Popover>
  );
}
