import { type ReactNode, useState } from "react";
import { formatNumber } from "#lib/contracts/format-count";
import { MoreButton } from "./load-older.tsx";

const PAGE = 100;

/** Shows a list that is at hand by its first hundred rows. `more`: the button for the next hundred, nothing once all are shown. */
export function useFirstRows<Item>(items: readonly Item[]): { shown: readonly Item[]; more: ReactNode } {
  const [most, setMost] = useState(PAGE);
  const left = items.length - most;
  const more =
    left > 0 ? (
      <MoreButton className="self-start" onMore={() => setMost(most + PAGE)}>
        {`Show ${Math.min(PAGE, left)} more of ${formatNumber(left)}`}
      </MoreButton>
    ) : null;
  return { shown: items.slice(0, most), more };
}
