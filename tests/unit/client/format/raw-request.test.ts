import { execFileSync } from "node:child_process";
import { describe, expect, it, test } from "vitest";
import { bodyBytes } from "#lib/client/format/bytes";
import { localCommands } from "#lib/client/format/local-commands";
import { curlCommand, hexDump } from "#lib/client/format/raw-request";

const request = { source: "platform", headers: { "x-webhook-signature": "ab", host: "evil", "content-length": "3" }, rawBase64: null };

/** Runs the command with a `curl` that prints what curl would send: its body argument, a file for `@name`, its input for `@-`. */
function bodySent(command: string): Buffer {
  const stub =
    'curl() { for last; do :; done; case "$last" in @-) cat;; @*) cat "$(printf %s "$last" | cut -c2-)";; *) printf %s "$last";; esac; }\n';
  return execFileSync("/bin/sh", ["-c", stub + command]);
}

describe("a stored request as a command", () => {
  it.each([
    ["quotes and dollars", `{"a":"it's $HOME \`id\` \\\\ \\"x\\""}`],
    ["line ends and tabs", '{\r\n\t"a": 1\n}'],
    ["a body that curl would take for a file name", "@/etc/hostname"],
    ["a zero byte", "a\0b"],
    ["emoji and accents", '{"a":"é 🙂"}'],
  ])("sends the same bytes: %s", (_, raw) => {
    expect(bodySent(curlCommand("http://localhost:3000", { ...request, raw }))).toEqual(Buffer.from(raw));
  });

  it("sends bytes that are not text", () => {
    const bytes = Buffer.from([0xff, 0x00, 0x80, 0x41]);
    const stored = { ...request, raw: null, rawBase64: bytes.toString("base64") };
    expect(bodySent(curlCommand("http://localhost:3000", stored))).toEqual(bytes);
    expect(Buffer.from(bodyBytes(stored))).toEqual(bytes);
  });

  it("keeps the signature and leaves out what the client sets by itself", () => {
    const command = curlCommand("http://localhost:3000", { ...request, raw: "{}" });
    expect(command).toContain("-H 'x-webhook-signature: ab'");
    expect(command).not.toMatch(/host: evil|content-length/);
  });

  it("leaves behind what belongs to the connection, to proxies and to how it was kept", () => {
    const behind = ["keep-alive", "TE", "proxy-authorization", "via", "X-Real-IP", "accept-encoding", "content-encoding", ":query"];
    const headers = Object.fromEntries([...behind, "x-event-type"].map((name) => [name, "a"]));
    const command = curlCommand("http://localhost:3000", { ...request, headers, raw: "{}" });
    expect([...command.matchAll(/-H '([^']*)'/g)].map(([, header]) => header)).toEqual(["x-event-type: a"]);
  });

  it("can't be broken out of by a header", () => {
    const command = curlCommand("http://localhost:3000", { ...request, headers: { "x-a": "'; echo broken; '" }, raw: "{}" });
    expect(bodySent(command).toString()).toBe("{}");
  });
});

test("bytes are shown with their offset and as ASCII, with dots for what can't be printed", () => {
  const bytes = new TextEncoder().encode('{"id":"Müller"}\n~\u007f');
  expect(hexDump(bytes)).toBe(
    [
      '00000000  7b 22 69 64 22 3a 22 4d c3 bc 6c 6c 65 72 22 7d  {"id":"M..ller"}',
      "00000010  0a 7e 7f                                         .~.",
    ].join("\n"),
  );
  expect(hexDump(new Uint8Array())).toBe("");
});

it("a shell reads every ID of the command to the letter", () => {
  for (const id of ["evt_1", "it's $HOME", "a b`id`", '"; echo x']) {
    const words = execFileSync(
      "/bin/sh",
      ["-c", `npx() { printf '%s\\n' "$@"; }\n${localCommands("http://localhost:3000", "0.1.0").replay(id)}`],
      {
        encoding: "utf8",
      },
    );
    expect(words.trimEnd().split("\n")).toEqual([
      "http://localhost:3000/cli/signalbox-cli-0.1.0.tgz",
      "replay",
      id,
      "--to",
      "http://localhost:4000",
      "--url",
      "http://localhost:3000",
    ]);
  }
});
