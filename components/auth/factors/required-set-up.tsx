"use client";

import { AddFactor } from "./add-factor.tsx";

export function RequiredSetUp({ returnTo }: { returnTo: string }) {
  return <AddFactor offersTotp onDone={() => location.assign(returnTo)} />;
}
