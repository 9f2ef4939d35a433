import { Argument, type Command } from "commander";
import { sessionOf } from "./session.ts";

export function defineLogin(program: Command): void {
  program
    .command("login")
    .argument("[url]", "the URL of Signalbox (default: http://localhost:3000)")
    .description("Check an API key and keep it for this URL")
    .option("--browser", "open the page where keys are created")
    .addHelpText(
      "after",
      `
On a terminal it asks for the key. Without one it reads the key from standard input, or from --key-file.
The key is kept in your configuration folder, in a file that only you can read. SIGNALBOX_API_KEY overrides it.

Examples:
  $ signalbox login https://signalbox.example --browser
  $ signalbox login https://signalbox.example < key.txt`,
    )
    .action(async (url: string | undefined, options: { browser?: boolean }, command: Command) =>
      (await import("../login.ts")).login(sessionOf(command), url, options.browser === true),
    );
  program
    .command("whoami")
    .description("Show the workspace and the role of the key in use")
    .action(async (_options: unknown, command: Command) => (await import("../login.ts")).whoAmI(sessionOf(command)));
}

export function defineCompletion(program: Command): void {
  program
    .command("completion")
    .addArgument(new Argument("<shell>", "the shell to complete in").choices(["bash", "zsh", "fish"]))
    .description("Print a completion script for a shell")
    .addHelpText(
      "after",
      `
Examples:
  $ signalbox completion bash > ~/.local/share/bash-completion/completions/signalbox
  $ signalbox completion zsh > "\${fpath[1]}/_signalbox"
  $ signalbox completion fish > ~/.config/fish/completions/signalbox.fish`,
    )
    .action(async (shell: "bash" | "zsh" | "fish", _options: unknown, command: Command) => {
      const { completionScript } = await import("../completion.ts");
      sessionOf(command);
      process.stdout.write(completionScript(shell, program));
    });
}
