/** Milliseconds between two looks at whether Signalbox answers again. */
const LOOK_MS = 1000;

/** State while Signalbox can't be reached: the page that is to be opened once it can, or null. */
export type LostConnection = { readonly next: string | null };

type Options = {
  /** Asks Signalbox; rejects when it can't be reached. */
  ask?: () => Promise<Response>;
  /** True while the browser says that it has no network. A Signalbox on the same machine is reached all the same. */
  offline?: () => boolean;
  lookMs?: number;
};

// The fetch is not bounded in time: a busy machine would count as unreachable.
const askServer = () => fetch("/health/live", { method: "HEAD", cache: "no-store" });

/** Watches whether this browser reaches Signalbox, and keeps the page that was asked for while it does not. */
export class Connection {
  #lost: LostConnection | null = null;
  #looking = false;
  readonly #listeners = new Set<() => void>();
  readonly #ask: () => Promise<Response>;
  readonly #offline: () => boolean;
  readonly #lookMs: number;

  constructor({ ask = askServer, offline = () => navigator.onLine === false, lookMs = LOOK_MS }: Options = {}) {
    this.#ask = ask;
    this.#offline = offline;
    this.#lookMs = lookMs;
  }

  /** Returns null while Signalbox is reached. The same object until it changes. */
  readonly lost = (): LostConnection | null => this.#lost;

  /** Calls the listener on each change. @returns what ends that */
  readonly onChange = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  };

  /**
   * Looks whether Signalbox answers, on a sign that it may not; when it does not, again and again until it does. An answer
   * with an error is a proxy's whose server is away. While the browser is offline an answer does not end the looks: it may be
   * the last one, sent before the network was gone.
   */
  async look(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    for (;;) {
      const answers = await this.#answers();
      if (answers !== (this.#lost === null)) this.#set(answers ? null : { next: null });
      if (answers && !this.#offline()) break;
      await new Promise((resolve) => setTimeout(resolve, this.#lookMs));
    }
    this.#looking = false;
  }

  /** Looks when the browser says that it is offline, at once if it is already. @returns what ends that */
  watchNetwork(): () => void {
    const look = () => void this.look();
    if (this.#offline()) look();
    addEventListener("offline", look);
    return () => removeEventListener("offline", look);
  }

  /** Keeps the page's URL instead of the last one kept. @returns false when it can be opened at once */
  hold(url: string): boolean {
    if (this.#lost === null) return false;
    this.#set({ next: url });
    return true;
  }

  async #answers(): Promise<boolean> {
    try {
      return (await this.#ask()).ok;
    } catch {
      return false;
    }
  }

  #set(lost: LostConnection | null): void {
    this.#lost = lost;
    for (const listener of this.#listeners) listener();
  }
}

/** This page's. */
export const connection = new Connection();
