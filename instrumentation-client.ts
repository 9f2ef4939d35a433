import { navigationStarted } from "#lib/client/connection";

/** Called by Next when a link, the palette or the browser's buttons open another page. */
export const onRouterTransitionStart = (url: string): void => navigationStarted(url);
