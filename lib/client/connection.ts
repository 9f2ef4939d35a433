import { onNavigation, pendingNavigation } from "./navigation.ts";

/** Milliseconds between two looks at whether Signalbox answers again, and between two at one whose database or receiver fails: these cost it more. */
const LOOK_MS = 1000;
const LOOK_NOT_READY_MS = 4000;
/** An answer that takes longer is no sign of life. Milliseconds. */
const WAITING_MS = 1500;
/** A page, or what it asks for, that takes longer is a sign that something may have failed. Milliseconds. */
const SLOW_MS = 2000;
/** Time between two looks without any sign: the live feed goes on while the database is silent. Milliseconds. */
const WATCH_MS = 30_000;

type Part = { ok: boolean; detail: string };
/** Database and receiver as `/health/ready` told of them. */
export type Seen = { database: Part; receiver: Part };

/** State of Signalbox as this browser knows it. */
export type Reach = {
  /** reached: nothing speaks against it. waiting: a look is not answered yet. not_ready: the web process answers, database or receiver fails. */
  is: "reached" | "waiting" | "offline" | "unreachable" | "not_ready";
  /** Seen by the last look; null where it saw neither. */
  seen: Seen | null;
  /** Milliseconds. */
  since: number;
  /** The page that is to be opened once it can be, or null. */
  next: string | null;
};
type Look = Pick<Reach, "is" | "seen">;

export const REACHED: Reach = { is: "reached", seen: null, since: 0, next: null };

type Options = {
  /** Asks Signalbox; rejects when it can't be reached. */
  ask?: () => Promise<Response>;
  /** True while the browser says that it has no network. A Signalbox on the same machine is reached all the same. */
  offline?: () => boolean;
  lookMs?: number;
  waitingMs?: number;
};

// The fetch is not bounded in time: a busy machine would count as unreachable.
const askServer = () => fetch("/health/ready", { cache: "no-store" });

/** Watches whether this browser reaches Signalbox and whether it works, and keeps the page that was asked for while it can't be opened. */
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

  /** The same object until it changes. */
  readonly state = (): Reach => this.#state;

  /** Calls the listener on each change. @returns what ends that */
  readonly onChange = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  };

  /**
   * Looks whether Signalbox answers and works, on a sign that it may not; when it does not, again and again until it does. An error that
   * is not its own is a proxy's whose server is away. While the browser is offline an answer does not end the looks: it may be
   * the last one, sent before the network was gone.
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

  /** While the connection is watched: looks when what was asked of Signalbox fails or takes long. @param failed true for an answer that is a sign */
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

  /**
   * Looks when the browser says that it is offline, at once if it is already; when a page takes long to open; and now and then while the
   * page is visible. @returns what ends that
   */
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

  /** Keeps the page's URL instead of the last one kept. @returns false when it can be opened at once */
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

  /** A page that is kept stays so until Signalbox is reached; while an answer is waited for, what was known before stands. */
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

/** True where nothing answers: a page that is chosen can't be opened. */
export const isLost = ({ is }: Pick<Reach, "is">): boolean => is === "offline" || is === "unreachable";

/** Returns the parts that an answer of `/health/ready` tells of; null for any other. */
function seenIn(body: unknown): Seen | null {
  const { database, receiver } = (body ?? {}) as Partial<Seen>;
  const isPart = (part: Part | undefined): part is Part => typeof part?.ok === "boolean" && typeof part.detail === "string";
  return isPart(database) && isPart(receiver) ? { database, receiver } : null;
}

/** This page's. */
export const connection = new Connection();
