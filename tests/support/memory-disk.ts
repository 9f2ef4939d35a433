import { accessSync, constants, statfsSync } from "node:fs";

/** The system's disk in memory, where it has one. */
export const MEMORY_DISK = "/dev/shm";
/** A run takes 0.7 GB; the tests and their servers need memory beside it. */
const ROOM = 4 * 1024 ** 3;

/** True if a run's files fit into memory. */
export function hasMemoryDisk(): boolean {
  try {
    accessSync(MEMORY_DISK, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY_DISK);
    return Math.min(bavail * bsize, process.availableMemory()) > ROOM;
  } catch {
    return false;
  }
}
