"use client";

import { AddFactor } from "./add-factor.tsx";

/** Sets up the second factor that the workspace requires, then goes on. */
export function RequiredSetUp({ returnTo }: { returnTo: string }) {
  return <AddFactor offersTotp onDone={() => location.assign(returnTo)} />;
}
