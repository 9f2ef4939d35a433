import { readFileSync } from "node:fs";
import { printable } from "../../../lib/contracts/api/plain-text.ts";
import { diagnoseSignature } from "../../../lib/platform/diagnosis/signature-diagnosis.ts";
import { EXIT, usageError } from "./exit.ts";
import { readSecretFile } from "./settings.ts";
import type { Output } from "./terminal.ts";

/** Checks a body against a signature with the receiver's own diagnosis. Nothing leaves this machine. */
export async function verify(output: Output, options: { secretFile: string[]; signature?: string; body?: string }): Promise<void> {
  const secrets = options.secretFile.map((file, at) => ({
    id: file,
    value: readSecretFile(file, "signing secret"),
    state: "valid" as const,
    source: at === 0 ? "this file" : file,
    endedAt: null,
  }));
  const asked = `the secret in ${options.secretFile.join(", ")} and no other`;
  const diagnosis = diagnoseSignature({ body: readBody(options.body), cut: false, header: options.signature, secrets, asked });
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

function readBody(file: string | undefined): Buffer {
  if (file === undefined && process.stdin.isTTY)
    throw usageError("There is no body.", "Send it on standard input, or in a file: --body body.json");
  try {
    return readFileSync(file ?? 0);
  } catch (error) {
    throw usageError(`The body can't be read: ${(error as Error).message}`);
  }
}
