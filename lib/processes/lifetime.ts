import { EnvError } from "#lib/config/env";
import { logger } from "#lib/observability/logger";
import { complain } from "./progress.ts";

/** A child that has not ended by itself after this is ended hard by the supervisor (8 s); be a little earlier. */
const DRAIN_LIMIT_MS = 7500;

/**
 * Runs `drain` once and exits: on SIGTERM, on SIGINT when no supervisor is
 * there to hand it on, and when the supervisor dies without a word (its channel
 * closes even on kill -9).
 *
 * @param drain ends the work in hand; the process exits when it returns, or after 7.5 s
 */
export function endWith(drain: () => Promise<void>): void {
  let ending = false;
  const end = (reason: string) => {
    if (ending) return;
    ending = true;
    logger().info({ reason }, "stopping");
    setTimeout(() => process.exit(1), DRAIN_LIMIT_MS).unref();
    drain().then(
      () => process.exit(0),
      (error: unknown) => {
        logger().error({ err: error }, "stopping went wrong");
        process.exit(1);
      },
    );
  };
  process.on("SIGTERM", () => end("asked to stop"));
  // Ctrl-C reaches the whole process group; under a supervisor its SIGTERM follows in good order.
  process.on("SIGINT", () => process.channel || end("asked to stop"));
  if (process.channel) process.on("disconnect", () => end("the supervisor is gone"));
}

/** Tells the supervisor that this process does its work now. */
export function reportReady(): void {
  process.send?.({ ready: true });
}

/**
 * Runs an entry point. What nobody catches ends the process, after it was
 * logged: its state is unknown, and the supervisor starts a new one.
 */
export async function runProcess(main: () => Promise<void>): Promise<void> {
  process.on("uncaughtException", (error) => {
    logger().fatal({ err: error }, "an error that nobody caught; starting over");
    process.exit(1);
  });
  process.on("unhandledRejection", (error) => logger().error({ err: error }, "a rejection that nobody handled"));
  try {
    await main();
  } catch (error) {
    // The logger itself wants a right environment.
    if (error instanceof EnvError) complain(error.message);
    else logger().fatal({ err: error }, "this process can't start");
    process.exit(1);
  }
}
