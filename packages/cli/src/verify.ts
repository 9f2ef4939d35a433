import { readFileSync } from "node:fs";
import { printable } from "../../../lib/contracts/api/plain-text.ts";
import type { Source } from "../../../lib/contracts/sources/sources.ts";
import { diagnoseScheme } from "../../../lib/platform/diagnosis/scheme-diagnosis.ts";
import { diagnoseSignature } from "../../../lib/platform/diagnosis/signature-diagnosis.ts";
import { schemeOf } from "../../../lib/platform/schemes/templates.ts";
import type { Session } from "./commands/session.ts";
import { EXIT, usageError } from "./exit.ts";
import { findSource } from "./lists.ts";
import { readSecretFile } from "./settings.ts";

export type VerifyOptions = { secretFile: string[]; signature?: string; body?: string; source?: string; header?: string[]; at?: string };

/** Checks a body against a signature with the receiver's own diagnosis. How a source's sender signs is asked; nothing else leaves this machine. */
export async function verify({ output, api }: Session, options: VerifyOptions): Promise<void> {
  const { source: name, secretFile, header = [], at } = options;
  if (name === undefined && (header.length > 0 || at !== undefined)) throw usageError("--header and --at need --source.");
  const source = name === undefined ? null : await findSource(api(), name);
  const diagnosis = diagnose(source, options, {
    secrets: secretFile.map((file, index) => ({
      ...{ id: file, value: readSecretFile(file, "signing secret"), state: "valid" as const, endedAt: null },
      source: index === 0 ? "this file" : file,
    })),
    asked: `the secret in ${secretFile.join(", ")} and no other`,
    body: readBody(options.body),
    cut: false,
  });
  const verifies = diagnosis.code === "verifies" || diagnosis.code === "verifies_reserialized";
  output.item({ verifies, ...diagnosis }, (paint) =>
    [
      `${verifies ? paint("green", "✓") : paint("red", "✗")} ${printable(diagnosis.verdict)}`,
      ...(verifies ? [] : [printable(diagnosis.fix)]),
      ...diagnosis.evidence.map(({ label, value }) => `${paint("dim", `${label}:`)} ${printable(value)}`),
    ].join("\n"),
  );
  if (!verifies) process.exitCode = EXIT.failed;
}

type Checked = Pick<Parameters<typeof diagnoseSignature>[0], "secrets" | "body" | "cut"> & { asked: string };

function diagnose(source: Source | null, { signature, header = [], at }: VerifyOptions, { body, ...checked }: Checked) {
  if (source === null) return diagnoseSignature({ ...checked, body, header: signature });
  const { name, template, url } = source;
  const scheme = schemeOf(template, source.scheme);
  const [first] = scheme.headers;
  const isElsewhere = scheme.secretInBody || scheme.signatureInBody || scheme.proofQuery !== undefined;
  if (first === undefined && !isElsewhere) throw usageError(`Requests to ${name} have no signature to check.`);
  const headers = { ...headersOf(header), ...(first !== undefined && signature !== undefined && { [first]: signature }) };
  if (template === "platform") return diagnoseSignature({ ...checked, body, header: headers[first ?? ""] });
  const inQuery = scheme.proofQuery !== undefined && signature !== undefined;
  const sentTo = inQuery ? `${url}?${scheme.proofQuery}=${encodeURIComponent(signature)}` : url;
  const request = { body, headers, url: sentTo, remoteAddress: null };
  return diagnoseScheme({ ...checked, request, template, scheme, receivedAt: at === undefined ? Date.now() : timeOf(at) });
}

/** Reads headers as they are written in a request, `Stripe-Signature: t=…`. */
const headersOf = (lines: string[]): Record<string, string> =>
  Object.fromEntries(
    lines.map((line) => {
      const [, name = "", value = ""] = /^([^:\s]+):\s*(.*)$/.exec(line) ?? [];
      if (name === "") throw usageError(`"${line}" is not a header.`, "Write it like --header 'Stripe-Signature: t=1790000000,v1=3f1c…'");
      return [name.toLowerCase(), value];
    }),
  );

function timeOf(text: string): number {
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw usageError(`--at "${text}" is not a time.`, "Write it like 2026-01-31T12:00:00Z");
  return time;
}

function readBody(file: string | undefined): Buffer {
  if (file === undefined && process.stdin.isTTY)
    throw usageError("There is no body.", "Send it on standard input, or in a file: --body body.json");
  try {
    return readFileSync(file ?? 0);
  } catch (error) {
    throw usageError(`The body can't be read: ${(error as Error).message}`);
  }
}
