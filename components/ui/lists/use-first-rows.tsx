import { type ReactNode, useState } from "react";
import { Button } from "#components/ui/primitives/button";
import { formatNumber } from "#lib/contracts/format-count";

const PAGE = 100;

/** Shows a list that is at hand by its first hundred rows. `more`: the button for the next hundred, nothing once all are shown. */
export function useFirstRows<Item>(items: readonly Item[]): { shown: readonly Item[]; more: ReactNode } {
  const [most, setMost] = useState(PAGE);
  const left = items.length - most;
  const more =
    left > 0 ? (
      <Button className="self-start" onClick={() => setMost(most + PAGE)}>
        {`Show ${Math.min(PAGE, left)} more of ${formatNumber(left)}`}
      </Button>
    ) : null;
  return { shown: items.slice(0, most), more };
}
