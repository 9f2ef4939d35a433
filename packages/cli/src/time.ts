import { setTimeout as sleep } from "node:timers/promises";
import { usageError } from "./exit.ts";

const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

export function parseDuration(text: string): number {
  const [, amount, unit = ""] = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text.trim()) ?? [];
  const factor = UNITS[unit];
  if (amount === undefined || factor === undefined) throw usageError(`"${text}" is not a duration.`, "Write 30s, 10m, 2h or 7d.");
  return Number(amount) * factor;
}

export function durationWords(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return ms < 3_600_000 ? `${Math.round(ms / 60_000)} min` : `${Math.round(ms / 3_600_000)} h`;
}

export function localTime(iso: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return iso;
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}

export const within = (work: Promise<unknown>, ms: number): Promise<unknown> => Promise.race([work, sleep(ms, undefined, { ref: false })]);
