import product from "../../package.json" with { type: "json" };

export const PRODUCT_VERSION: string = product.version;

/** Names the sources of a build, in its server as in its pages (next.config.ts). Empty in development and in processes that no build made. */
export const BUILD: string = process.env.SIGNALBOX_BUILD ?? "";

/** Returns how a command is called here: `npm run backup -- FILE` in a clone, `signalbox backup FILE` where it is installed. */
export function ownCommand(name: string, args = ""): string {
  const installed = process.env.SIGNALBOX_COMMAND;
  const [command, given] = installed
    ? [`${installed} ${name}`, args]
    : [name === "start" ? "npm start" : `npm run ${name}`, args && `-- ${args}`];
  return given === "" ? command : `${command} ${given}`;
}

export function npmScript(): string | null {
  return process.env.npm_lifecycle_event ? (process.env.npm_lifecycle_script ?? null) : null;
}
