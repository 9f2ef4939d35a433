import { readdirSync, readFileSync } from "node:fs";

const EVERY_MS = 500;

/**
 * Watches what a process and all that it starts hold in memory together, in megabytes. A page that several of them share
 * counts once (proportional set size). Linux.
 *
 * @returns what ends the watch, and gives the most that it saw
 */
export function watchTreeMemory(pid: number): () => number {
  let most = 0;
  const look = () => {
    most = Math.max(
      most,
      tree(pid)
        .map(proportionalMegabytes)
        .reduce((sum, each) => sum + each, 0),
    );
  };
  const timer = setInterval(look, EVERY_MS);
  return () => {
    clearInterval(timer);
    return most;
  };
}

/** A process and its descendants. */
function tree(pid: number): number[] {
  const children = Map.groupBy(readdirSync("/proc").map(Number).filter(Boolean), parentOf);
  const below = (parent: number): number[] => [parent, ...(children.get(parent) ?? []).flatMap(below)];
  return below(pid);
}

/** Returns nothing for one that has ended meanwhile. */
const readOf = (pid: number, file: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
};

const parentOf = (pid: number): number => Number(/^PPid:\s+(\d+)/m.exec(readOf(pid, "status"))?.[1] ?? 0);
const proportionalMegabytes = (pid: number): number => Number(/^Pss:\s+(\d+)/m.exec(readOf(pid, "smaps_rollup"))?.[1] ?? 0) / 1024;
