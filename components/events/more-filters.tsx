"use client";

import { SlidersHorizontal } from "lucide-react";
import { lazy } from "react";
import type { MoreFiltersProps } from "#components/events/more-filter-fields";
import { Button } from "#components/ui/button";
import { Popover } from "#components/ui/popover";

/** The popover shows itself once they are there. */
const Fields = lazy(() => import("#components/events/more-filter-fields").then((module) => ({ default: module.MoreFilterFields })));

/** What is asked for less often: resource, connection, source, duplicates. */
export function MoreFilters(props: MoreFiltersProps) {
  const { resource, connection, source, duplicates } = props.filter;
  const inUse = [resource, connection, source, duplicates].filter((value) => value !== undefined).length;
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
