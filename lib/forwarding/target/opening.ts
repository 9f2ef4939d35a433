import type { Socket } from "node:net";
import type { AttemptOutcome } from "#lib/contracts/forwarding/deliveries";
import { ForwardError } from "../attempt/outcomes.ts";

/** A connection that is being made: its sockets, and what it waits for. */
export class Opening {
  private readonly sockets: Socket[] = [];
  private isGivenUp = false;
  private late: [AttemptOutcome, string] = ["connect_timeout", "No connection"];

  /**
   * Takes a socket as soon as there is one. One that comes after the connection
   * was given up is destroyed at once: nobody would ever close it.
   */
  keep<S extends Socket>(socket: S): S {
    // Never removed: an error of a socket to which nobody listens any more would end the process.
    socket.on("error", () => undefined);
    this.sockets.push(socket);
    if (this.isGivenUp) socket.destroy();
    return socket;
  }

  /** Closes what there is and what is still to come. */
  giveUp(): void {
    this.isGivenUp = true;
    for (const socket of this.sockets) socket.destroy();
  }

  /** @throws Error when it was given up: then nothing more is begun, and nobody hears of it */
  assertWanted(): void {
    if (this.isGivenUp) throw new Error("the connection was given up");
  }

  /** Says whose fault it is when the time ends now. @param what did not happen, in words that "within 5 seconds" may follow */
  waitFor(outcome: AttemptOutcome, what: string): void {
    this.late = [outcome, what];
  }

  /** The failure when the time has ended. @param limitMs in milliseconds */
  lateness(limitMs: number): ForwardError {
    const [outcome, what] = this.late;
    return new ForwardError(outcome, `${what} within ${limitMs / 1000} seconds`);
  }
}
