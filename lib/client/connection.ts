/** Pauses between two checks. Longer while the database or the receiver fails, since these checks cost it more. Milliseconds. */
const LOOK_MS = 1000;
const LOOK_NOT_READY_MS = 4000;
/** A response that takes longer is no sign of life. Milliseconds. */
const WAITING_MS = 1500;
/** A page or request that takes longer may have failed. Milliseconds. */
const SLOW_MS = 2000;
/** Interval of checks without a sign: the live feed continues while the database is silent. Milliseconds. */
const WATCH_MS = 30_000;

type Part = { ok: boolean; detail: string };
/** Database and receiver as `/health/ready` reports them. */
type Seen = { database: Part; receiver: Part };

export type Reach = {
  /** waiting: a check is not answered yet. not_ready: the web process answers, but the database or the receiver fails. */
  is: "reached" | "waiting" | "offline" | "unreachable" | "not_ready";
  seen: Seen | null;
  since: number;
  /** Page to open once that is possible. */
  next: string | null;
};
type Look = Pick<Reach, "is" | "seen">;

export const REACHED: Reach = { is: "reached", seen: null, since: 0, next: null };

type Options = {
  /** Rejects if Signalbox can't be reached. */
  ask?: () => Promise<Response>;
  /** True while the browser reports no network. A Signalbox on the same machine is reached all the same. */
  offline?: () => boolean;
  lookMs?: number;
  waitingMs?: number;
};

// Without a timeout: a busy machine would count as unreachable.
const askServer = () => fetch("/health/ready", { cache: "no-store" });

export class Connection {
  #state: Reach = REACHED;
  #looking = false;
  #watching = false;
  readonly #listeners = new Set<() => void>();
  readonly #ask: () => Promise<Response>;
  readonly #offline: () => boolean;
  readonly #lookMs: number | undefined;
  readonly #waitingMs: number;

  constructor({ ask = askServer, offline = () => navigator.onLine === false, lookMs, waitingMs = WAITING_MS }: Options = {}) {
    this.#ask = ask;
    this.#offline = offline;
    this.#lookMs = lookMs;
    this.#waitingMs = waitingMs;
  }

  readonly state = (): Reach => this.#state;

  readonly onChange = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  };

  /**
   * Checks until Signalbox answers and works. An error that isn't its own is from a proxy whose server is away.
   * While the browser is offline a response doesn't end the checks: it may have been sent before the network was gone.
   */
  async look(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    for (;;) {
      const waiting = setTimeout(() => this.#see({ is: "waiting", seen: null }), this.#waitingMs);
      const found = await this.#find();
      clearTimeout(waiting);
      this.#see(found);
      if (found.is === "reached" && !this.#offline()) break;
      const pauseMs = this.#lookMs ?? (found.is === "not_ready" ? LOOK_NOT_READY_MS : LOOK_MS);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    this.#looking = false;
  }

  /** While `watch` is active, checks if a request fails or takes long. `failed` is true for a response that is a sign. */
  async watched<T>(answer: Promise<T>, failed: (answer: T) => boolean): Promise<T> {
    if (!this.#watching) return answer;
    const slow = setTimeout(() => void this.look(), SLOW_MS);
    try {
      const settled = await answer;
      if (failed(settled)) void this.look();
      return settled;
    } catch (error) {
      if (!(error instanceof DOMException && error.name === "AbortError")) void this.look();
      throw error;
    } finally {
      clearTimeout(slow);
    }
  }

  /** Checks when the browser goes offline, when a page takes long to open, and every `WATCH_MS`. Returns a function that ends that. */
  watch(): () => void {
    const look = () => void this.look();
    this.#watching = true;
    if (this.#offline()) look();
    addEventListener("offline", look);
    const timer = setInterval(() => document.visibilityState === "visible" && look(), WATCH_MS);
    let slow: ReturnType<typeof setTimeout> | undefined;
    const endNavigation = onNavigation(() => {
      clearTimeout(slow);
      if (pendingNavigation() !== null) slow = setTimeout(look, SLOW_MS);
    });
    return () => {
      this.#watching = false;
      removeEventListener("offline", look);
      clearInterval(timer);
      clearTimeout(slow);
      endNavigation();
    };
  }

  /** Holds a page's URL in place of the last one. Returns false if the page can be opened at once. */
  hold(url: string): boolean {
    if (!isLost(this.#state)) return false;
    this.#set({ ...this.#state, next: url });
    return true;
  }

  async #find(): Promise<Look> {
    const lost: Look = { is: this.#offline() ? "offline" : "unreachable", seen: null };
    const response = await this.#ask().catch(() => null);
    if (response === null) return lost;
    const seen = seenIn(await response.json().catch(() => null));
    if (seen === null) return response.status < 500 ? { is: "reached", seen } : lost;
    return { is: seen.database.ok && seen.receiver.ok ? "reached" : "not_ready", seen };
  }

  /** A held page stays held until Signalbox is reached; while a check waits, the earlier state stays. */
  #see(look: Look): void {
    const { is, seen, since, next } = this.#state;
    if (look.is === "waiting" && is !== "reached") return;
    const same = look.is === is && JSON.stringify(look.seen) === JSON.stringify(seen);
    if (!same) this.#set({ ...look, since: look.is === is ? since : Date.now(), next: isLost(look) ? next : null });
  }

  #set(state: Reach): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}

/** True if nothing answers, so that no page can be opened. */
export const isLost = ({ is }: Pick<Reach, "is">): boolean => is === "offline" || is === "unreachable";

/** Returns the parts that a `/health/ready` response reports; null for any other response. */
function seenIn(body: unknown): Seen | null {
  const { database, receiver } = (body ?? {}) as Partial<Seen>;
  const isPart = (part: Part | undefined): part is Part => typeof part?.ok === "boolean" && typeof part.detail === "string";
  return isPart(database) && isPart(receiver) ? { database, receiver } : null;
}

let target: string | null = null;
const listeners = new Set<() => void>();

export const pendingNavigation = (): string | null => target;

export const connection = new Connection();

const announce = (next: string | null): void => {
  if (next === target) return;
  target = next;
  for (const listener of listeners) listener();
};

const within = ({ pathname, search }: URL | Location): string => `${pathname}${search}`;

/** Marks that a page is being opened; the current page's own URL needs no waiting. */
export function navigationStarted(url: string): void {
  const next = within(new URL(url, location.href));
  announce(next === within(location) ? null : next);
}

export const navigationEnded = (): void => announce(null);

export function onNavigation(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
