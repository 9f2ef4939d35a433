"use client";

import { SlidersHorizontal } from "lucide-react";
import { lazyComponent } from "#components/ui/lists/lazy-component";
import { Popover } from "#components/ui/overlay/popover";
import { Button } from "#components/ui/primitives/button";
import { MORE_FILTERS } from "#lib/contracts/events/event-filters";
import type { MoreFiltersProps } from "./more-filter-fields.tsx";

const Fields = lazyComponent(() => import("./more-filter-fields.tsx").then((module) => module.MoreFilterFields));

export function MoreFilters(props: MoreFiltersProps) {
  const inUse = MORE_FILTERS.filter((name) => props.filter[name] !== undefined).length;
  return (
    <Popover
      label="More filters"
      trigger={
        <Button className="font-normal" icon={<SlidersHorizontal aria-hidden className="text-faint" />}>
          More
          {inUse === 0 ? null : <span className="font-medium">{inUse}</span>}
        </Button>
      }
    >
      <Fields {...props} />
    </Popover>
  );
}
