"use client";

import { lazyComponent } from "#components/ui/lists/lazy-component";

/** Says what becomes of a page that is being opened; comes after the page itself. */
export const NavigationState = lazyComponent(() => import("./navigation-notice.tsx").then((module) => module.NavigationNotice), true);
