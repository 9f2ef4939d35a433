"use client";

import { toast } from "#components/ui/feedback/toast";
import { Button } from "#components/ui/primitives/button";
import { RelativeTime } from "#components/ui/time/relative-time";
import { browserName } from "#lib/client/format/browser-name";
import { useForgetDevice } from "#lib/client/queries/auth/factors";
import type { RememberedDevice } from "#lib/contracts/auth/factors";

/** Lists the browsers that need no second factor. */
export function RememberedDevices({ devices }: { devices: RememberedDevice[] }) {
  const forget = useForgetDevice();
  return (
    <div>
      <h3 className="mb-2 text-13 font-medium">Remembered browsers</h3>
      <ul className="divide-y divide-line border-y border-line">
        {devices.map(({ id, userAgent, lastUsedAt, rememberedUntil }) => (
          <li key={id} data-row className="flex items-center gap-3 py-2.5">
            <div className="min-w-0 flex-1">
              <p className="font-medium">{browserName(userAgent)}</p>
              <p className="text-12 text-muted">
                last used <RelativeTime at={lastUsedAt} /> · no second factor until <RelativeTime at={rememberedUntil} />
              </p>
            </div>
            <Button
              size="sm"
              variant="ghost"
              aria-label={`Forget ${browserName(userAgent)}`}
              onClick={() =>
                forget.mutate(id, { onError: (error) => toast.error("Couldn't forget the browser", { description: error.message }) })
              }
            >
              Forget
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}
