import { accessSync, constants, statfsSync } from "node:fs";
import { freemem } from "node:os";

/** The system's disk in memory, where it has one. */
export const MEMORY_DISK = "/dev/shm";
/** A run takes up to 2 GB. */
const ROOM = 4 * 1024 ** 3;

/** True if a run's files fit into memory. */
export function hasMemoryDisk(): boolean {
  try {
    accessSync(MEMORY_DISK, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY_DISK);
    return Math.min(bavail * bsize, freemem()) > ROOM;
  } catch {
    return false;
  }
}
