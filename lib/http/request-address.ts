import { AsyncLocalStorage } from "node:async_hooks";

// On globalThis: Next bundles a copy of this file of its own, and both must see one store.
const shared = globalThis as typeof globalThis & { signalboxRequestAddress?: AsyncLocalStorage<string | null> };
const store = (): AsyncLocalStorage<string | null> => (shared.signalboxRequestAddress ??= new AsyncLocalStorage());

/** Runs the answering of a request that came from `address`, as far as that is known. */
export const withRequestAddress = <T>(address: string | null, work: () => T): T => store().run(address, work);

/**
 * The address that the request in hand came from. It is no header, so that no
 * client can write it; null where nobody vouches for one (under plain Next, or outside a request).
 */
export const requestAddress = (): string | null => store().getStore() ?? null;
