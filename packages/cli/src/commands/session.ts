import type { Command } from "commander";
import { type Api, openApi } from "../api-client.ts";
import { findTarget, type Target } from "../settings.ts";
import { type Format, type Output, processOutput } from "../terminal.ts";

type Globals = { url?: string; keyFile?: string; allowHttp?: boolean; output: Format; color: boolean };

export type Session = { output: Output; target: Target; keyFile: string | undefined; api: () => Api };

export function sessionOf(command: Command): Session {
  const { url, keyFile, allowHttp, output, color } = command.optsWithGlobals<Globals>();
  const target = findTarget({ url, keyFile, allowHttp });
  return { output: processOutput(output, !color), target, keyFile, api: () => openApi(target) };
}

/** For an option that repeats: `--type a --type b`. */
export const collect = (value: string, before: string[] | undefined): string[] => [...(before ?? []), value];
