"use client";

import { type ComponentType, lazy, Suspense } from "react";

/**
 * A part of the page whose code comes when it is first shown; until then its
 * place stays empty. `preload` fetches it at a sign that it will be wanted.
 */
export function later<P extends object>(load: () => Promise<ComponentType<P>>) {
  const Part = lazy(async () => ({ default: (await load()) as ComponentType<object> }));
  const Later = (props: P) => (
    <Suspense fallback={null}>
      <Part {...props} />
    </Suspense>
  );
  return Object.assign(Later, { preload: () => void load().catch(() => undefined) });
}
