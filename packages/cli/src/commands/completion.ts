import { Argument, type Command } from "commander";
import { sessionOf } from "./session.ts";

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
      const { completionScript } = await import("../completion/script.ts");
      sessionOf(command);
      process.stdout.write(completionScript(shell, program));
    });
}
